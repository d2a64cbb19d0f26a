/** What the bundles are made for; kept in step with `engines` by a test. */
export const OLDEST_NODE = '20.19';

export function isTooOld(version: string): boolean {
  const [[major = 0, minor = 0], [least = 0, most = 0]] = [version, OLDEST_NODE].map((one) => one.split('.').map(Number)) as [number[], number[]];
  return major < least || (major === least && minor < most);
}

export const tooOld = (version: string): string =>
  `Holdfast needs Node ${OLDEST_NODE} or newer, and node on the PATH is ${version}: memory does nothing in this session. Install a newer one from https://nodejs.org, or switch the plugin off with /plugin.`;
