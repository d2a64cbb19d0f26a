function isUsable(name: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(name).length > 0;
  } catch {
    return false;
  }
}

// uPlot formats numbers in the browser's language when it loads, and fails if that is not a valid tag, such as en-US@posix.
if (!isUsable(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en' });

/** The language for numbers. */
export const language = navigator.language;
