import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { PATIENCE } from '../patience.ts';

/** Where a browser of the system may be, by platform. */
const SYSTEM: Readonly<Record<string, readonly string[]>> = {
  linux: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'],
  darwin: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'],
  win32: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe', 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe'],
};

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Off, because the browser's own protection of loopback would hide refusals of the server.
  '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights',
  // Names that lead to loopback, as a site that attacks the page may have.
  '--host-resolver-rules=MAP *.example 127.0.0.1',
];

/** On Linux x64 the browser that comes with npm, unpacked once into the temporary folder; elsewhere one of the system. */
async function programOf(): Promise<string | undefined> {
  if (process.platform === 'linux' && process.arch === 'x64') return (await import('@sparticuz/chromium')).default.executablePath();
  return SYSTEM[process.platform]?.find((path) => existsSync(path));
}

/** A real Chromium, or why there is none. */
export async function startBrowser(): Promise<{ readonly browser?: Browser; readonly why: string }> {
  const program = await programOf();
  if (program === undefined) return { why: `no Chromium on this machine (${process.platform} ${process.arch}): the page is not tested in a browser` };
  return { browser: await chromium.launch({ executablePath: program, args: ARGUMENTS, timeout: PATIENCE.timeout }), why: '' };
}
