import { FolderChanged } from '#shared/domain/mail/servers/failures.ts';
import type {
  FolderPlace,
  FolderRole,
  MailServers,
  MailStore,
  ServedCopy,
} from '#shared/domain/mail/servers/server.ts';

/** A mail server in memory, behind the port of the domain, which can be told to fail. Real ones are in test/mail. */

interface Stored extends ServedCopy {
  raw: Uint8Array;
  modseq: number;
}

export interface StoredFolder {
  role: FolderRole | null;
  server_id: string | null;
  uidvalidity: string;
  uidnext: number;
  messages: Map<number, Stored>;
}

type Given = Partial<Pick<ServedCopy, 'seen' | 'flagged' | 'draft' | 'received_at' | 'size'>> & {
  uid?: number;
};

const RECEIVED = new Date('2026-11-02T10:00:00Z');

export class StoredMail implements MailServers {
  readonly folders = new Map<string, StoredFolder>();
  /** Whether the server counts changes of flags. */
  condstore = true;
  /** Called before each answer, as "read INBOX 3". What it throws is the answer. */
  before: (call: string) => unknown = () => undefined;
  readonly asked: string[] = [];
  #modseq = 1;

  folder(
    path: string,
    { role = null, server_id = null, uidvalidity = '1' }: Partial<StoredFolder> = {},
  ): this {
    this.folders.set(path, { role, server_id, uidvalidity, uidnext: 1, messages: new Map() });
    return this;
  }

  at(path: string): StoredFolder {
    const folder = this.folders.get(path);
    if (!folder) throw new FolderChanged('No such folder');
    return folder;
  }

  /** The UID of the message. */
  add(path: string, raw: Uint8Array, given: Given = {}): number {
    const folder = this.at(path);
    const uid = given.uid ?? folder.uidnext;
    folder.uidnext = Math.max(folder.uidnext, uid + 1);
    const { seen = false, flagged = false, draft = false, received_at = RECEIVED, size = raw.length } = given;
    const described = { uid, size, seen, flagged, draft, received_at };
    folder.messages.set(uid, { ...described, raw, modseq: ++this.#modseq });
    return uid;
  }

  remove(path: string, uid: number): void {
    this.at(path).messages.delete(uid);
  }

  mark(path: string, uid: number, marks: Pick<Given, 'seen' | 'flagged'>): void {
    Object.assign(this.at(path).messages.get(uid) ?? {}, { ...marks, modseq: ++this.#modseq });
  }

  move(from: string, uid: number, to: string): number {
    const message = this.at(from).messages.get(uid) as Stored;
    this.remove(from, uid);
    const { uid: _, ...given } = message;
    return this.add(to, message.raw, given);
  }

  /** As after DELETE and CREATE of a client that then stores the messages again: other UIDs. */
  renumber(path: string): void {
    const folder = this.at(path);
    const all = [...folder.messages.values()];
    folder.uidvalidity = String(Number(folder.uidvalidity) + 1);
    folder.uidnext = 1;
    folder.messages.clear();
    for (const { uid: _, raw, ...given } of all) this.add(path, raw, given);
  }

  rename(from: string, to: string): void {
    const folder = this.at(from);
    this.folders.delete(from);
    this.folders.set(to, folder);
  }

  counts(): Record<string, number> {
    return Object.fromEntries([...this.folders].map(([path, { messages }]) => [path, messages.size]));
  }

  openStore: MailServers['openStore'] = async (login) => {
    await this.#answer(`login ${login.username}`);
    return this.#store();
  };

  openTransport: MailServers['openTransport'] = () => Promise.reject(new Error('No mail is sent here'));

  async #answer(call: string): Promise<void> {
    this.asked.push(call);
    await this.before(call);
  }

  #place({ path, uidvalidity }: FolderPlace): StoredFolder {
    const folder = this.at(path);
    if (folder.uidvalidity !== uidvalidity) throw new FolderChanged('Other UIDs');
    return folder;
  }

  #uids(folder: StoredFolder): number[] {
    return [...folder.messages.keys()].sort((a, b) => a - b);
  }

  #store(): MailStore {
    return {
      folders: async () => {
        await this.#answer('list');
        return [...this.folders].map(([path, { role, server_id }]) => ({ path, role, server_id }));
      },
      state: async (path) => {
        await this.#answer(`state ${path}`);
        const { uidvalidity, uidnext, messages } = this.at(path);
        return {
          ...{ uidvalidity, uidnext, messages: messages.size },
          modseq: this.condstore ? String(this.#modseq) : null,
        };
      },
      copies: async (place, { from, to = Number.POSITIVE_INFINITY }, since) => {
        await this.#answer(
          `copies ${place.path} ${from}:${to}${since === undefined ? '' : ` since ${since}`}`,
        );
        const folder = this.#place(place);
        const all = this.#uids(folder).flatMap((uid) => folder.messages.get(uid) ?? []);
        return all
          .filter(({ uid, modseq }) => uid >= from && uid <= to && modseq > Number(since ?? 0))
          .map(({ raw: _, modseq: __, ...copy }) => copy);
      },
      uids: async (place) => {
        await this.#answer(`uids ${place.path}`);
        return this.#uids(this.#place(place));
      },
      read: async (place, uid, most) => {
        await this.#answer(`read ${place.path} ${uid}`);
        return this.#place(place).messages.get(uid)?.raw.subarray(0, most);
      },
      setFlags: async (place, uids, { add = [], remove = [] }) => {
        await this.#answer(`flags ${place.path} ${uids}`);
        this.#place(place);
        const after = (flag: string) =>
          add.includes(flag) ? true : remove.includes(flag) ? false : undefined;
        const [seen, flagged] = ['\\Seen', '\\Flagged'].map(after);
        const marks = {
          ...(seen === undefined ? {} : { seen }),
          ...(flagged === undefined ? {} : { flagged }),
        };
        for (const uid of uids) this.mark(place.path, uid, marks);
      },
      find: async (path, message_id) => {
        await this.#answer(`find ${path}`);
        const folder = this.at(path);
        const named = (uid: number) =>
          Buffer.from(folder.messages.get(uid)?.raw ?? []).includes(`Message-ID: <${message_id}>`);
        return this.#uids(folder).filter(named);
      },
      append: async () => {},
      move: async () => {},
      close: () => this.#answer('close'),
    };
  }
}
