import { listOf, type Token } from './command.ts';
import type { ImapFolder, ImapMailbox } from './mailbox.ts';
import { decodeName, encodeName, nameIn } from './names.ts';
import type { Session } from './session.ts';

/** Commands about folders. Each returns what ends its answer. */

export type Handler = (session: Session, args: Token[], capabilities: ReadonlySet<string>) => string;

const NONEXISTENT = "NO [NONEXISTENT] Mailbox doesn't exist";

/** As Dovecot has it: clients may not count on a code. */
const MISSING = "NO Mailbox doesn't exist";

/** The path that a command names. */
export function pathOf(token: Token | undefined): string {
  const path = decodeName(String(token ?? ''));
  return path.toUpperCase() === 'INBOX' ? 'INBOX' : path;
}

const mailboxOf = ({ mailbox }: Session) => mailbox as ImapMailbox;

const selectable = (folder: ImapFolder | undefined): folder is ImapFolder =>
  folder !== undefined && !folder.attributes.includes('\\Noselect');

/** What `%` and `*` stand for (RFC 3501, 6.3.8). */
const patternOf = (text: string) =>
  new RegExp(
    `^${text
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('%', '[^/]*')}$`,
    'i',
  );

function statusOf(folder: ImapFolder, items: readonly string[]): string {
  const { messages } = folder;
  const values: Record<string, string | number> = {
    MESSAGES: messages.length,
    RECENT: 0,
    UIDNEXT: folder.uidnext,
    UIDVALIDITY: folder.uidvalidity,
    UNSEEN: messages.filter(({ flags }) => !flags.has('\\Seen')).length,
    HIGHESTMODSEQ: folder.modseq,
    MAILBOXID: `(${folder.id})`,
    SIZE: messages.reduce((sum, { raw }) => sum + raw.length, 0),
  };
  return items.map((item) => `${item.toUpperCase()} ${values[item.toUpperCase()]}`).join(' ');
}

/** The items of `RETURN (STATUS (MESSAGES))` (RFC 5819). */
function wantedStatus(returned: Token | undefined): string[] {
  const options = Array.isArray(returned) ? returned : [];
  const at = options.findIndex((option) => String(option).toUpperCase() === 'STATUS');
  return at < 0 ? [] : listOf(options[at + 1]);
}

const lister =
  (answer: 'LIST' | 'LSUB'): Handler =>
  (session, [, pattern, , returned]) => {
    if (pattern === '') {
      session.send(`* ${answer} (\\Noselect) "/" ""`);
      return 'OK List completed';
    }
    const wanted = patternOf(decodeName(String(pattern)));
    const status = wantedStatus(returned);
    for (const [path, folder] of mailboxOf(session).folders) {
      if (!wanted.test(path)) continue;
      const name = nameIn(folder.wire_name ?? encodeName(path));
      session.send(`* ${answer} (${folder.attributes.join(' ')}) "/" ${name}`);
      if (status.length > 0 && selectable(folder))
        session.send(`* STATUS ${name} (${statusOf(folder, status)})`);
    }
    return 'OK List completed';
  };

const opener =
  (write: boolean): Handler =>
  (session, [name, options], capabilities) => {
    session.selected = undefined;
    const path = pathOf(name);
    const folder = mailboxOf(session).folders.get(path);
    if (!selectable(folder)) return MISSING;
    if (listOf(options).some((option) => option.toUpperCase() === 'CONDSTORE')) session.condstore = true;
    session.open(path, folder, write);
    const flags = ['\\Answered', '\\Flagged', '\\Deleted', '\\Seen', '\\Draft', ...folder.keywords].join(' ');
    session.send(
      `* FLAGS (${flags})`,
      `* OK [PERMANENTFLAGS (${write ? `${flags} \\*` : ''})] Flags permitted.`,
      `* ${folder.messages.length} EXISTS`,
      '* 0 RECENT',
      `* OK [UIDVALIDITY ${folder.uidvalidity}] UIDs valid`,
      `* OK [UIDNEXT ${folder.uidnext}] Predicted next UID`,
    );
    if (capabilities.has('CONDSTORE')) session.send(`* OK [HIGHESTMODSEQ ${folder.modseq}] Highest`);
    if (capabilities.has('OBJECTID')) session.send(`* OK [MAILBOXID (${folder.id})] Ok`);
    return `OK [READ-${write ? 'WRITE' : 'ONLY'}] ${write ? 'Select' : 'Examine'} completed`;
  };

const status: Handler = (session, [name, items]) => {
  const folder = mailboxOf(session).folders.get(pathOf(name));
  if (!selectable(folder)) return MISSING;
  session.send(`* STATUS ${nameIn(String(name))} (${statusOf(folder, listOf(items))})`);
  return 'OK Status completed';
};

const create: Handler = (session, [name]) => {
  const mailbox = mailboxOf(session);
  if (mailbox.folders.has(pathOf(name))) return 'NO [ALREADYEXISTS] Mailbox already exists';
  mailbox.create(pathOf(name));
  return 'OK Create completed';
};

const remove: Handler = (session, [name]) => {
  const path = pathOf(name);
  if (path === 'INBOX') return "NO INBOX can't be deleted.";
  return mailboxOf(session).folders.delete(path) ? 'OK Delete completed' : NONEXISTENT;
};

const rename: Handler = (session, [from, to]) => {
  const mailbox = mailboxOf(session);
  if (!mailbox.folders.has(pathOf(from))) return NONEXISTENT;
  if (mailbox.folders.has(pathOf(to))) return 'NO [ALREADYEXISTS] Target mailbox already exists.';
  mailbox.rename(pathOf(from), pathOf(to));
  return 'OK Rename completed';
};

export const folderCommands: Readonly<Record<string, Handler>> = {
  LIST: lister('LIST'),
  LSUB: lister('LSUB'),
  SELECT: opener(true),
  EXAMINE: opener(false),
  STATUS: status,
  CREATE: create,
  DELETE: remove,
  RENAME: rename,
  SUBSCRIBE: () => 'OK Subscribe completed',
  UNSUBSCRIBE: () => 'OK Unsubscribe completed',
};
