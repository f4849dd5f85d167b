/** A mailbox of the IMAP server of tests, as plain data. Changes made here are changes at the server. */

export interface ImapMessage {
  uid: number;
  raw: Buffer;
  flags: Set<string>;
  received_at: Date;
  /** Of its last change. */
  modseq: number;
}

export interface NewMessage {
  flags?: readonly string[];
  received_at?: Date;
}

let count = 0;

export class ImapFolder {
  readonly id = `folder-${++count}`;
  /** `\Sent`, `\Noselect` ... */
  attributes: string[];
  uidvalidity = 1_700_000_000 + count;
  uidnext = 1;
  modseq = 1;
  /** In place of its path, as in answers: what no server should write. */
  wire_name?: string;
  /** All that messages ever had. */
  readonly keywords = new Set<string>();
  /** By ascending UID. */
  messages: ImapMessage[] = [];

  constructor(attributes: string[] = []) {
    this.attributes = attributes;
  }

  add(raw: Buffer | string, { flags = [], received_at = new Date() }: NewMessage = {}): ImapMessage {
    const message: ImapMessage = {
      uid: this.uidnext++,
      raw: Buffer.from(raw),
      flags: new Set(flags),
      received_at,
      modseq: ++this.modseq,
    };
    this.messages.push(message);
    this.#know(flags);
    return message;
  }

  #know(flags: readonly string[]): void {
    for (const flag of flags) if (!flag.startsWith('\\')) this.keywords.add(flag);
  }

  message(uid: number): ImapMessage | undefined {
    return this.messages.find((each) => each.uid === uid);
  }

  remove(...uids: number[]): void {
    const before = this.messages.length;
    this.messages = this.messages.filter(({ uid }) => !uids.includes(uid));
    if (this.messages.length < before) this.modseq++;
  }

  /** As another client of the user does. */
  flag(uid: number, { add = [], remove = [] }: { add?: string[]; remove?: string[] }): void {
    const message = this.message(uid);
    if (!message) return;
    const flags = new Set([...[...message.flags].filter((flag) => !remove.includes(flag)), ...add]);
    if (flags.size === message.flags.size && [...flags].every((flag) => message.flags.has(flag))) return;
    message.flags = flags;
    this.#know(add);
    message.modseq = ++this.modseq;
  }

  /** The server forgets all UIDs, and counts from 1 again. */
  renumber(): void {
    this.uidvalidity += 1_000;
    this.messages.forEach((message, i) => {
      message.uid = i + 1;
      message.modseq = 1;
    });
    this.uidnext = this.messages.length + 1;
    this.modseq = 1;
  }
}

/** Of one user. */
export class ImapMailbox {
  password: string;
  readonly tokens = new Set<string>();
  readonly folders = new Map<string, ImapFolder>();

  constructor(password: string) {
    this.password = password;
    this.create('INBOX');
    for (const use of ['Sent', 'Drafts', 'Trash', 'Archive']) this.create(use, [`\\${use}`]);
    this.create('Spam', ['\\Junk']);
  }

  /** With those above it. */
  create(path: string, attributes?: string[]): ImapFolder {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (parent !== '' && !this.folders.has(parent)) this.create(parent, ['\\Noselect']);
    const folder = new ImapFolder(attributes);
    this.folders.set(path, folder);
    return folder;
  }

  /** Throws when there is none. */
  folder(path: string): ImapFolder {
    const folder = this.folders.get(path);
    if (!folder) throw new Error(`There is no folder ${path}`);
    return folder;
  }

  add(path: string, raw: Buffer | string, message?: NewMessage): ImapMessage {
    return this.folder(path).add(raw, message);
  }

  /** With all that is in it. */
  rename(from: string, to: string): void {
    for (const [path, folder] of [...this.folders])
      if (path === from || path.startsWith(`${from}/`)) {
        this.folders.delete(path);
        this.folders.set(to + path.slice(from.length), folder);
      }
  }

  /** Their new UIDs. */
  copy(from: string, uids: readonly number[], to: string): number[] {
    const target = this.folder(to);
    const messages = this.folder(from).messages.filter(({ uid }) => uids.includes(uid));
    return messages.map(
      ({ raw, flags, received_at }) => target.add(raw, { flags: [...flags], received_at }).uid,
    );
  }

  move(from: string, uids: readonly number[], to: string): number[] {
    const moved = this.copy(from, uids, to);
    this.folder(from).remove(...uids);
    return moved;
  }
}
