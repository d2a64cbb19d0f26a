const two = (number: number): string => String(number).padStart(2, '0');

/** `YYYY-MM-DD HH:MM`, as the clock on the wall shows it. */
export function localMinutes(epochMs: number): string {
  const date = new Date(epochMs);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

export const localSeconds = (epochMs: number): string => `${localMinutes(epochMs)}:${two(new Date(epochMs).getSeconds())}`;
