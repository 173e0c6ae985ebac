/**
 * FNV-1a, 64 bits, as 16 hex digits. For short, stable names (slugs, folder names): not for secrets, not against an
 * adversary. Core has no node:crypto, and a name must be the same on every machine. In two halves of 32 bits, because
 * what a hostile screen asks is named by it at every look: BigInt took five times as long.
 */
export function fnv1a64(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of utf8(text)) {
    low = (low ^ byte) >>> 0;
    // Times 2^40 + 0x1b3, without what goes beyond 64 bits.
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 0x1_0000_0000) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
}

/** A UUID (version 8: of our own making) that is the same for the same text, for programs that take an id only in this form. */
export function uuidOf(text: string): string {
  const hex = fnv1a64(text) + fnv1a64(`${text}\u0000`);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join("-");
}

/** UTF-8 bytes of a string; a lone surrogate becomes U+FFFD, as everywhere else on the way to disk. */
export function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const char of text) {
    let point = char.codePointAt(0) ?? 0;
    if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    else bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
  }
  return bytes;
}
