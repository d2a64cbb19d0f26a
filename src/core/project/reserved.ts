/** Device names that Windows refuses as file names, with any extension and in any letter case. */
const DEVICES = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9]|lpt[0-9])$/i;

export const isReservedName = (name: string): boolean => DEVICES.test(name.split('.', 1)[0] ?? '');
