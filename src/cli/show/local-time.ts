/** A time for people, in their own time zone: today's by the clock, others with their date. */
export function localTime(iso: string, now: number): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(":");
  return localDate(time) === localDate(new Date(now)) ? clock : `${localDate(time)} ${clock}`;
}

const localDate = (time: Date): string =>
  [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join("-");

const twoDigits = (number: number): string => String(number).padStart(2, "0");
