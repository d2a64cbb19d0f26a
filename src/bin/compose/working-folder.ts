/** The folder that the process was started in; one that was deleted since is still known by its name. */
export function workingFolder(env: Readonly<Record<string, string | undefined>>): string {
  try {
    return process.cwd();
  } catch {
    return env['PWD'] ?? '/';
  }
}
