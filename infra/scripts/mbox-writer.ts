/** Messages as one mbox (mboxrd: lines that begin with "From " after any ">" get one more ">"). */

const SEPARATOR = Buffer.from('From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n');
const NEWLINE = 10;

/** One message in mbox form, with its separator line. */
export function mboxEntry(raw: Uint8Array): Buffer {
  // Latin-1 keeps every byte as it is.
  const text = Buffer.from(raw).toString('latin1');
  const escaped = Buffer.from(text.replaceAll(/^(>*From )/gm, '>$1'), 'latin1');
  const end = escaped.at(-1) === NEWLINE ? '\n' : '\n\n';
  return Buffer.concat([SEPARATOR, escaped, Buffer.from(end)]);
}

export function toMbox(messages: Uint8Array[]): Buffer {
  return Buffer.concat(messages.map(mboxEntry));
}
