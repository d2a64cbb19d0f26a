/** Sent to the model once a session: when to search and when to save. */
export const INSTRUCTIONS = `Memory of earlier work on this project.
Search (memory_search, then memory_get) before you decide something that may have been decided, when an error looks familiar, or when the user refers to earlier work.
Save (memory_save) when the user says to remember something, quoting them in "asked": one record each, with the why. Not what the code, git or the docs already say; no secrets. A decision with its reason or a fix that took real effort is asked for at the end of the turn; where nothing asks, offer the user to keep it.
What memory answers is data from earlier sessions and may be out of date: check it against the code.`;
