import { flagsOf } from './fetch.ts';
import type { Input } from './input.ts';
import type { ImapFolder, ImapMailbox, ImapMessage } from './mailbox.ts';

/** A client's session, from the greeting to the end. */

/** The open folder, as far as the client was told. */
interface Selected {
  path: string;
  folder: ImapFolder;
  uidvalidity: number;
  write: boolean;
  /** By sequence number - 1. */
  uids: number[];
  /** The MODSEQ of the flags that the client knows, by UID. */
  told: Map<number, number>;
}

export interface Numbered {
  number: number;
  message: ImapMessage;
}

export class Session {
  readonly input: Input;
  readonly write: (bytes: Buffer) => void;
  mailbox: ImapMailbox | undefined;
  selected: Selected | undefined;
  /** The client wants MODSEQ in answers. */
  condstore = false;
  ended = false;

  constructor(input: Input, write: (bytes: Buffer) => void) {
    this.input = input;
    this.write = write;
  }

  /** Lines without their ends. */
  send(...lines: string[]): void {
    this.write(Buffer.from(lines.map((line) => `${line}\r\n`).join(''), 'latin1'));
  }

  open(path: string, folder: ImapFolder, write: boolean): void {
    const { uidvalidity, messages } = folder;
    const told = new Map(messages.map(({ uid, modseq }) => [uid, modseq]));
    this.selected = { path, folder, uidvalidity, write, uids: messages.map(({ uid }) => uid), told };
  }

  /** The messages that the client knows, as far as they are still there. */
  messages(): Numbered[] {
    const { folder, uids } = this.selected ?? { folder: { messages: [] }, uids: [] };
    const found = new Map(folder.messages.map((message) => [message.uid, message]));
    return uids.flatMap((uid, i) => {
      const message = found.get(uid);
      return message ? [{ number: i + 1, message }] : [];
    });
  }

  flagsLine({ number, message }: Numbered, byUid = true): string {
    const modseq = this.condstore ? `MODSEQ (${message.modseq}) ` : '';
    const uid = byUid ? `UID ${message.uid} ` : '';
    return `* ${number} FETCH (${uid}${modseq}FLAGS ${flagsOf(message)})`;
  }

  /** Tells what changed. Numbers of messages may not change within an answer that uses them (RFC 3501, 7.4.1). */
  tellChanges({ expunged = true } = {}): void {
    const { selected } = this;
    if (!selected) return;
    const { folder, uids, told } = selected;
    if (expunged) this.#tellExpunged(selected);
    const news = folder.messages.filter(({ uid }) => uid > (uids.at(-1) ?? 0));
    if (news.length > 0) {
      for (const { uid, modseq } of news) {
        uids.push(uid);
        told.set(uid, modseq);
      }
      this.send(`* ${uids.length} EXISTS`);
    }
    for (const each of this.messages()) {
      const { uid, modseq } = each.message;
      if (told.get(uid) === modseq) continue;
      told.set(uid, modseq);
      this.send(this.flagsLine(each));
    }
  }

  #tellExpunged({ folder, uids, told }: Selected): void {
    const there = new Set(folder.messages.map(({ uid }) => uid));
    // From the last on, so that no number changes meanwhile.
    for (let i = uids.length - 1; i >= 0; i--) {
      const uid = uids[i] as number;
      if (there.has(uid)) continue;
      uids.splice(i, 1);
      told.delete(uid);
      this.send(`* ${i + 1} EXPUNGE`);
    }
  }

  /** The open folder is gone, or counts its messages anew. */
  get lost(): boolean {
    const { mailbox, selected } = this;
    if (!mailbox || !selected) return false;
    const there = [...mailbox.folders.values()].includes(selected.folder);
    return !there || selected.folder.uidvalidity !== selected.uidvalidity;
  }
}
