import { listOf, setIn, setOf, type Token } from './command.ts';
import { fetchedOf, itemsOf, marks } from './fetch.ts';
import { type Handler, pathOf } from './folder-commands.ts';
import type { ImapMailbox } from './mailbox.ts';
import { testOf } from './search.ts';
import type { Numbered, Session } from './session.ts';

/** Commands about messages of the open folder, and APPEND. */

type Selected = NonNullable<Session['selected']>;

const READ_ONLY = 'NO [READ-ONLY] Mailbox is read-only';
const MISSING = "NO [TRYCREATE] Mailbox doesn't exist";

const lastOf = (all: readonly Numbered[]) => ({
  uid: all.at(-1)?.message.uid ?? 0,
  number: all.at(-1)?.number ?? 0,
});

/** Those that a set names. */
function named(session: Session, set: Token | undefined, byUid: boolean): Numbered[] {
  const all = session.messages();
  const last = lastOf(all);
  const has = setOf(String(set), byUid ? last.uid : last.number);
  return all.filter(({ number, message }) => has(byUid ? message.uid : number));
}

const uidsOf = (found: readonly Numbered[]) => found.map(({ message }) => message.uid);

/** The value of a modifier such as `(CHANGEDSINCE 17)` (RFC 7162). */
function modifier(token: Token | undefined, name: string): number | undefined {
  const list = listOf(token).map((each) => each.toUpperCase());
  return list.includes(name) ? Number(list[list.indexOf(name) + 1]) : undefined;
}

const isUid = (item: string) => item.toUpperCase() === 'UID';

const withFlags = (items: readonly string[]) => [
  ...items.filter(isUid),
  'FLAGS',
  ...items.filter((item) => !isUid(item) && item.toUpperCase() !== 'FLAGS'),
];

const fetcher =
  (byUid: boolean): Handler =>
  (session, [set, wanted, modifiers]) => {
    const { folder, write, told } = session.selected as Selected;
    const items = itemsOf(wanted);
    if (byUid && !items.some(isUid)) items.unshift('UID');
    const since = modifier(modifiers, 'CHANGEDSINCE');
    if (since !== undefined || items.some((item) => item.toUpperCase() === 'MODSEQ'))
      session.condstore = true;
    if (since !== undefined && !items.includes('MODSEQ')) items.push('MODSEQ');
    for (const { number, message } of named(session, set, byUid)) {
      if (since !== undefined && message.modseq <= since) continue;
      const marked = write && marks(items) && !message.flags.has('\\Seen');
      if (marked) folder.flag(message.uid, { add: ['\\Seen'] });
      const answer = fetchedOf(number, message, marked ? withFlags(items) : items);
      if (!answer) return 'BAD Unknown parameter';
      if (marked || items.some((item) => item.toUpperCase() === 'FLAGS'))
        told.set(message.uid, message.modseq);
      session.write(answer);
    }
    return 'OK Fetch completed';
  };

/** `+FLAGS.SILENT` and its like. */
const STORE = /^([+-]?)FLAGS(\.SILENT)?$/i;

function storeFlags({ folder }: Selected, { message }: Numbered, sign: string, flags: string[]): void {
  if (sign === '+') folder.flag(message.uid, { add: flags });
  else if (sign === '-') folder.flag(message.uid, { remove: flags });
  else
    folder.flag(message.uid, {
      remove: [...message.flags].filter((flag) => !flags.includes(flag)),
      add: flags,
    });
}

const storer =
  (byUid: boolean): Handler =>
  (session, [set, item, flags]) => {
    const selected = session.selected as Selected;
    const parsed = STORE.exec(String(item));
    if (!parsed) return 'BAD Invalid parameters';
    if (!selected.write) return READ_ONLY;
    const [, sign = '', silent] = parsed;
    for (const each of named(session, set, byUid)) {
      storeFlags(selected, each, sign, listOf(flags));
      const { uid, modseq } = each.message;
      if (selected.told.get(uid) === modseq) continue;
      selected.told.set(uid, modseq);
      if (!silent) session.send(session.flagsLine(each, byUid));
      else if (session.condstore) session.send(`* ${each.number} FETCH (UID ${uid} MODSEQ (${modseq}))`);
    }
    return 'OK Store completed';
  };

const searcher =
  (byUid: boolean): Handler =>
  (session, args) => {
    const all = session.messages();
    const test = testOf(args, lastOf(all));
    if (!test) return 'BAD Unknown search key';
    const found = all.filter(test).map(({ number, message }) => (byUid ? message.uid : number));
    session.send(`* SEARCH${found.map((each) => ` ${each}`).join('')}`);
    return 'OK Search completed';
  };

const expunger: Handler = (session, [set]) => {
  const { folder, write } = session.selected as Selected;
  if (!write) return READ_ONLY;
  const messages = set === undefined ? session.messages() : named(session, set, true);
  folder.remove(...uidsOf(messages.filter(({ message }) => message.flags.has('\\Deleted'))));
  return 'OK Expunge completed';
};

const transfer =
  (how: 'copy' | 'move', byUid: boolean): Handler =>
  (session, [set, name]) => {
    const { path, write } = session.selected as Selected;
    const mailbox = session.mailbox as ImapMailbox;
    const target = mailbox.folders.get(pathOf(name));
    if (!target) return MISSING;
    if (how === 'move' && !write) return READ_ONLY;
    const uids = uidsOf(named(session, set, byUid));
    if (uids.length === 0) return 'OK No messages found.';
    const copies = mailbox[how](path, uids, pathOf(name));
    const code = `[COPYUID ${target.uidvalidity} ${setIn(uids)} ${setIn(copies)}]`;
    if (how === 'copy') return `OK ${code} Copy completed`;
    session.send(`* OK ${code} Moved UIDs.`);
    return 'OK Move completed';
  };

const append: Handler = (session, args) => {
  const mailbox = session.mailbox as ImapMailbox;
  const target = mailbox.folders.get(pathOf(args[0]));
  if (!target) return MISSING;
  const flags = args.find(Array.isArray)?.map(String) ?? [];
  const date = args.length > 2 ? new Date(String(args.at(-2))) : new Date();
  const received_at = Number.isNaN(date.getTime()) ? new Date() : date;
  const { uid } = target.add(Buffer.from(String(args.at(-1)), 'latin1'), { flags, received_at });
  return `OK [APPENDUID ${target.uidvalidity} ${uid}] Append completed`;
};

const close: Handler = (session) => {
  const { folder, write } = session.selected as Selected;
  if (write)
    folder.remove(...uidsOf(session.messages().filter(({ message }) => message.flags.has('\\Deleted'))));
  session.selected = undefined;
  return 'OK Close completed';
};

const unselect: Handler = (session) => {
  session.selected = undefined;
  return 'OK Unselect completed';
};

export const messageCommands: Readonly<Record<string, Handler>> = {
  FETCH: fetcher(false),
  'UID FETCH': fetcher(true),
  STORE: storer(false),
  'UID STORE': storer(true),
  SEARCH: searcher(false),
  'UID SEARCH': searcher(true),
  EXPUNGE: (session, _args, capabilities) => expunger(session, [], capabilities),
  'UID EXPUNGE': expunger,
  COPY: transfer('copy', false),
  'UID COPY': transfer('copy', true),
  MOVE: transfer('move', false),
  'UID MOVE': transfer('move', true),
  APPEND: append,
  CHECK: () => 'OK Check completed',
  CLOSE: close,
  UNSELECT: unselect,
};
