function isUsable(name: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(name).length > 0;
  } catch {
    return false;
  }
}

// uPlot formats numbers by the browser's language as it loads, and breaks where that is none, such as en-US@posix.
if (!isUsable(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en' });

/** What numbers are written in. */
export const language = navigator.language;
