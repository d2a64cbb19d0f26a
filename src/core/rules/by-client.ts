/** Prompts that a client writes in the user's name. */
const BY_CLIENT =
  /^\s*(?:The user (?:wants to clarify|doesn't want to)|This session is being continued|Caveat: The messages below|<(?:command|local-command|task-notification|system-reminder))/;

/** Whether a client wrote a prompt in the user's name. */
export const isByClient = (prompt: string): boolean => BY_CLIENT.test(prompt);
