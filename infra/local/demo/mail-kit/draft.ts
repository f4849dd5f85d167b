import type { DemoMailbox } from '../people.ts';
import type { Charset } from './charsets.ts';

export type Category = 'Personal' | 'Promotions' | 'Updates' | 'Forums';

export type Client =
  | 'gmail'
  | 'outlook'
  | 'outlook-web'
  | 'apple'
  | 'thunderbird'
  | 'yahoo'
  | 'proton'
  | 'plain';

/** A person who writes mail, with the habits of their mail program. */
export interface Person {
  name: string;
  address: string;
  zone: string;
  lang: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ru' | 'zh' | 'ar';
  client: Client;
  signature: readonly string[];
  /** A small picture under the signature. */
  logo?: InlineImage;
  /** Set for people whose mail is not UTF-8; their messages are written byte by byte. */
  charset?: Charset;
  transfer?: 'quoted-printable' | 'base64' | '7bit';
  /** Mailboxes that receive mail to this address. */
  mailboxes?: readonly DemoMailbox[];
  /** Into which tab Gmail puts their mail; by default with what people write. */
  category?: Category;
}

export interface InlineImage {
  cid: string;
  filename: string;
  alt: string;
  width: number;
  png: Buffer;
}

export interface Attachment {
  filename: string;
  type: string;
  content: Buffer;
}

interface Optional {
  cc?: readonly Person[];
  /** The mail program, when it is not the usual one of the sender. */
  client?: Client;
  signature?: boolean | readonly string[];
  /** Whether the earlier message is quoted below; replies quote unless told otherwise. */
  quote?: boolean;
  /** The reply is below the quote. */
  bottom?: boolean;
  images?: readonly InlineImage[];
  files?: readonly Attachment[];
  /** An iCalendar invitation. */
  calendar?: string;
  headers?: Readonly<Record<string, string>>;
  /** Written instead of what the client would make of the body. */
  html?: string;
  only?: 'text' | 'html';
  withoutMessageId?: boolean;
}

interface Fresh extends Optional {
  from: Person;
  to: readonly Person[];
  subject: string | null;
  sent: Date;
  body: string;
}

interface Answer extends Optional {
  from: Person;
  to?: readonly Person[];
  subject?: string;
  sent: Date;
  body: string;
}

export interface Draft extends Optional {
  id: string;
  from: Person;
  to: readonly Person[];
  cc: readonly Person[];
  subject: string | null;
  sent: Date;
  body: string;
  client: Client;
  parent: Draft | null;
  link: 'reply' | 'forward' | null;
}

interface Conversation {
  drafts: Draft[];
  write(message: Fresh): Draft;
  /** Replies to all unless `to` or `cc` are given. */
  reply(parent: Draft, message: Answer): Draft;
  forward(parent: Draft, message: Answer & { to: readonly Person[] }): Draft;
}

/** Starts a conversation; its messages are numbered in the order they are written. */
export function conversation(slug: string): Conversation {
  const drafts: Draft[] = [];
  const add = (message: Fresh, parent: Draft | null, link: Draft['link']): Draft => {
    const id = `${slug}-${drafts.length + 1}@${message.from.address.split('@')[1]}`;
    const client = message.client ?? message.from.client;
    const draft: Draft = { ...message, id, client, cc: message.cc ?? [], parent, link };
    drafts.push(draft);
    return draft;
  };
  return {
    drafts,
    write: (message) => add(message, null, null),
    reply: (parent, message) => {
      const to = message.to ?? (parent.from === message.from ? parent.to : [parent.from]);
      const others = [...parent.to, ...parent.cc].filter(
        (each) => each !== message.from && !to.includes(each),
      );
      const subject = message.subject ?? `Re: ${plainSubject(parent)}`.trim();
      return add({ ...message, to, cc: message.cc ?? others, subject }, parent, 'reply');
    },
    forward: (parent, message) =>
      add({ ...message, subject: message.subject ?? `Fwd: ${plainSubject(parent)}` }, parent, 'forward'),
  };
}

function plainSubject(draft: Draft): string {
  return (draft.subject ?? '').replace(/^((re|fwd|aw|回复)\s*:\s*)+/i, '');
}

/** The message ids of everything a message follows on from, oldest first. */
export function references(draft: Draft): string[] {
  return draft.parent ? [...references(draft.parent), draft.parent.id] : [];
}

/** The demo mailboxes that hold a message: those of its sender and of everyone it went to. */
export function mailboxesOf(draft: Draft): DemoMailbox[] {
  const everyone = [draft.from, ...draft.to, ...draft.cc];
  const held = new Set(everyone.flatMap((person) => person.mailboxes ?? []));
  return (['ada', 'grace', 'hank'] as const).filter((mailbox) => held.has(mailbox));
}
