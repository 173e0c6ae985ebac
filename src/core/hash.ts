/**
 * FNV-1a, 64 bits, as 16 hex digits. For short, stable names (slugs, folder names): not for secrets, not against an
 * adversary. Core has no node:crypto, and a name must be the same on every machine.
 */
export function fnv1a64(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of utf8(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, "0");
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
