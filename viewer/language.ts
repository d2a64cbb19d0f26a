function isUsable(name: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(name).length > 0;
  } catch {
    return false;
  }
}

// uPlot formats numbers by the browser's language when it loads, and breaks if that is no valid tag, such as en-US@posix.
if (!isUsable(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en' });

/** The language for numbers. */
export const language = navigator.language;
