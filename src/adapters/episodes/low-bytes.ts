/** Used again for every text. */
let room = Buffer.allocUnsafe(1 << 17);

/** The low byte of every character of a text, behind which lies what was there before; holds until it is asked again. */
export function lowBytes(text: string): Uint8Array {
  if (text.length > room.length) room = Buffer.allocUnsafe(text.length * 2);
  room.write(text, 'latin1');
  return room;
}
