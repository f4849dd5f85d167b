import { addressesOf } from '#shared/domain/mail/threads/entry.ts';
import { messagesOf } from '#shared/domain/mail/threads/messages.ts';
import { SHOWN } from '#shared/domain/mail/threads/participants.ts';
import type { Message } from '#shared/domain/mail/threads/thread.ts';
import type { Dice } from './dice.ts';
import { givenCalendar, givenEvent, shareMailbox } from './events.ts';
import { givenFile } from './files.ts';
import { eml, givenMailbox, importMail, listAllThreads } from './mail.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Records of all types that a search finds, with few different words, and a naive search over what one user sees. */

const WORDS = [
  'Anna',
  'anchor',
  'Ánna',
  'Boat',
  'boats',
  'Straße',
  'strand',
  'Kelp',
  'kelpie',
  'Zoë',
  'ﬁn',
  '海',
  'of',
];
const ADDRESSES = ['anna', 'boats', 'kelp', 'zoe'].flatMap((name) => [
  `${name}@strand.example`,
  `${name}@fin.example`,
]);

/** More than a list shows of a text. */
const LONG = 'quux '.repeat(100);

export class SearchWorld {
  readonly workspace: Workspace;
  readonly #dice: Dice;
  #count = 0;

  constructor(workspace: Workspace, dice: Dice) {
    this.workspace = workspace;
    this.#dice = dice;
  }

  #name(): string {
    return Array.from({ length: this.#dice.int(1, 3) }, () => this.#dice.pick(WORDS)).join(' ');
  }

  #common() {
    this.#count += 1;
    return {
      name: this.#name(),
      ...(this.#dice.chance(40) ? { external_id: `${this.#dice.pick(WORDS)}-${this.#count}` } : {}),
      ...(this.#dice.chance(30) ? { visibility: 'private' as const } : {}),
    };
  }

  async addContact({ api }: TestUser) {
    this.#count += 1;
    const email_address = `${this.#dice.pick(WORDS)}${this.#count}@${this.#dice.pick(['strand', 'fin'])}.example`;
    const ascii = email_address.normalize('NFKD').replaceAll(/[^ -~]/g, '');
    const contact = {
      ...this.#common(),
      ...(this.#dice.chance(30) ? { nickname: this.#name() } : {}),
      ...(this.#dice.chance(50) ? { email_addresses: [{ email_address: ascii }] } : {}),
      ...(this.#dice.chance(30) ? { phone_numbers: [{ phone_number: `555 0${100 + this.#count}` }] } : {}),
    };
    return (await api.createContact({ body: { contact } })).body.contact;
  }

  async addRecord(user: TestUser): Promise<void> {
    const { api } = user;
    const common = this.#common();
    const due_at = `2026-12-${10 + this.#dice.int(0, 3)}T09:00:00Z`;
    await this.#dice.pick([
      () => this.addContact(user),
      () =>
        api.createOrganization({
          body: { organization: { ...common, domains: [`d${this.#count}.example`] } },
        }),
      () => api.createDeal({ body: { deal: common } }),
      () => api.createTask({ body: { task: { ...common, ...(this.#dice.chance(50) ? { due_at } : {}) } } }),
      () =>
        givenFile(this.workspace, user, {
          name: this.#name(),
          visibility: this.#dice.pick(['account', 'private']),
        }),
      () => api.createSpace({ body: { space: { name: `${this.#name()} ${this.#count}`, kind: 'records' } } }),
      () => api.createTag({ body: { tag: { name: `${this.#name()} ${this.#count}` } } }),
    ])();
  }

  /** Of half of the mail, the end is in no list. */
  #text(): string {
    return this.#dice.chance(50) ? `${this.#name()}.` : `${this.#name()}.\n${LONG}\n${this.#name()}.`;
  }

  /** Mail in mailboxes of all, some of it in reply to other mail. */
  async addMail(users: TestUser[], each: number): Promise<void> {
    for (const [at, user] of users.entries()) {
      const mailbox = await givenMailbox(this.workspace, user);
      let subject = '';
      const mail = Array.from({ length: each }, (_, i) => {
        const isReply = i > 0 && this.#dice.chance(30);
        subject = isReply ? subject : this.#name();
        return eml({
          id: `${mailbox}-${i}@x`,
          from: `"${this.#name()}" <${this.#dice.pick(ADDRESSES)}>`,
          to: user.user.email_address,
          subject: isReply ? `Re: ${subject}` : subject,
          date: new Date(Date.UTC(2026, 9, 1 + i, 10, at)).toUTCString().replace('GMT', '+0000'),
          text: this.#text(),
          ...(isReply ? { in_reply_to: `${mailbox}-${i - 1}@x` } : {}),
        });
      });
      await importMail(this.workspace, user, mailbox, mail);
    }
  }

  /** Some threads of the first, which the other sees by shares alone. */
  async shareThreads(owner: TestUser, reader: TestUser): Promise<void> {
    for (const { id } of await listAllThreads(owner.reader))
      if (this.#dice.chance(25))
        await owner.api.createShare({
          params: { record_type: 'threads', record_id: id },
          body: { share: { user_id: reader.user.id } },
        });
  }

  async addEvents(user: TestUser, reader: TestUser, count: number): Promise<void> {
    const { calendar_id, mailbox_id } = await givenCalendar(this.workspace, user);
    await shareMailbox(user, mailbox_id, reader);
    for (let i = 0; i < count; i++) {
      const day = `2027-01-${10 + this.#dice.int(0, 9)}`;
      await givenEvent(user, calendar_id, {
        name: this.#name(),
        ...{ location: this.#dice.pick([null, this.#name()]), private: this.#dice.chance(30) },
        ...{ starts_at: `${day}T09:00:00Z`, ends_at: `${day}T10:00:00Z`, time_zone: 'UTC' },
        attendees: [{ email_address: this.#dice.pick(ADDRESSES) }],
        ...(this.#dice.chance(30) ? { recurrence: ['RRULE:FREQ=MONTHLY;COUNT=5'] } : {}),
      });
    }
  }

  /** What somebody may type: beginnings of words, addresses, ids. */
  question(docs: Doc[]): string {
    const doc = this.#dice.pick(docs);
    if (this.#dice.chance(15)) return this.#dice.pick([...doc.texts.map(({ text }) => text), 'nobody']);
    const words = Array.from({ length: this.#dice.int(1, 3) }, () =>
      this.#dice.chance(60)
        ? this.#dice.pick(wordsIn(this.#dice.pick(doc.texts).text))
        : this.#dice.pick(WORDS),
    );
    return words.map((word = 'x') => [...word].slice(0, this.#dice.int(1, 5)).join('')).join(' ');
  }
}

export interface Doc {
  type: string;
  id: string;
  moment: number;
  texts: { text: string; title?: boolean; value?: boolean; phone?: boolean }[];
  /** Of a thread. */
  messages?: { moment: number; texts: Doc['texts'] }[] | undefined;
}

const fold = (text: string) =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');

const wordsIn = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

const texts = (values: (string | null | undefined)[], more: object = {}) =>
  values.filter((text): text is string => typeof text === 'string').map((text) => ({ text, ...more }));

/** When an id was made (RFC 9562, UUID version 7). */
const madeAt = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

const of =
  <R extends { id: string }>(
    type: string,
    momentOf: (record: R) => string,
    textsOf: (record: R) => Doc['texts'],
  ) =>
  (records: R[]): Doc[] =>
    records.map((record) => ({
      type,
      id: record.id,
      moment: Date.parse(momentOf(record)),
      texts: textsOf(record),
    }));

/** What each message of a thread that the user sees says, and when it was sent. Names and subjects are in the table only. */
async function messagesIn(workspace: Workspace, { reader }: TestUser, id: string): Promise<Doc['messages']> {
  const { thread } = (await reader.retrieveThread({ params: { id }, query: { body: 'text' } as never })).body;
  const stored = new Map((await messagesOf(workspace.table, id)).map((message) => [message.id, message]));
  return (thread.messages ?? []).map((message) => {
    const { subject, from, to, cc, sent } = stored.get(message.id) as Message;
    return {
      moment: sent,
      texts: texts([
        subject,
        ...addressesOf({ from, to, cc }).flatMap(({ name, email_address }) => [name, email_address]),
        ...[message.body?.new_plain_text, message.body?.quoted_plain_text],
      ]),
    };
  });
}

/** Everything that lists show to the user, and the messages of threads. */
export async function visibleDocs(workspace: Workspace, user: TestUser): Promise<Doc[]> {
  const { reader } = user;
  const all = { query: { limit: 100 } as never };
  const contacts = (await reader.listContacts({ query: { limit: 100 } as never })).body.collection.records;
  const organizations = (await reader.listOrganizations(all)).body.collection.records;
  const deals = (await reader.listDeals({ query: { per_page: 100 } })).body.collection.records;
  const tasks = (await reader.listTasks({ query: { limit: 100 } })).body.collection.records;
  const files = (await reader.listFiles(all)).body.collection.records;
  const spaces = (await reader.listSpaces()).body.collection.records;
  const tags = (await reader.listTags()).body.collection.records;
  const events = (await reader.listCalendarEvents({ query: { limit: 100 } })).body.collection.records;
  const threads = await listAllThreads(reader);
  const messages = new Map<string, Doc['messages']>();
  for (const { id } of threads) messages.set(id, await messagesIn(workspace, user, id));
  const firsts = events.filter(
    ({ recurring_event_id: id }, i) =>
      id === null || events.findIndex((each) => each.recurring_event_id === id) === i,
  );
  const title = { title: true };
  const value = { value: true };
  return [
    ...of<(typeof contacts)[0]>(
      'contact',
      ({ created_at }) => created_at,
      (each) => [
        ...texts([each.name, each.nickname], title),
        ...texts(
          [...each.email_addresses.map(({ email_address }) => email_address), each.external_id],
          value,
        ),
        ...texts(
          each.phone_numbers.map(({ phone_number }) => phone_number),
          { phone: true },
        ),
      ],
    )(contacts),
    ...of<(typeof organizations)[0]>(
      'organization',
      ({ created_at }) => created_at,
      (each) => [...texts([each.name], title), ...texts([...each.domains, each.external_id], value)],
    )(organizations),
    ...of<(typeof deals)[0]>(
      'deal',
      ({ created_at, updated_at }) => updated_at ?? created_at,
      (each) => [...texts([each.name], title), ...texts([each.external_id], value)],
    )(deals),
    ...of<(typeof tasks)[0]>(
      'task',
      ({ created_at, due_at }) => due_at ?? created_at,
      (each) => [...texts([each.name], title), ...texts([each.external_id], value)],
    )(tasks),
    ...of<(typeof files)[0]>(
      'file',
      ({ created_at }) => created_at,
      ({ name, file_name }) => texts([name, file_name], title),
    )(files),
    ...of<(typeof firsts)[0]>(
      'calendar_event',
      ({ starts_at }) => starts_at,
      (each) => [
        ...texts([each.name, each.location], title),
        ...texts(each.attendees.flatMap(({ email_address, display_name }) => [email_address, display_name])),
      ],
    )(firsts).filter(({ texts: some }) => some.length > 0),
    ...of<(typeof threads)[0]>(
      'thread',
      ({ last_sent_at }) => last_sent_at ?? '',
      (each) => [
        ...texts([each.subject], title),
        ...texts([each.snippet, ...Object.entries(each.participant_names).slice(0, SHOWN.in_lists).flat()]),
      ],
    )(threads).map((doc) => ({ ...doc, messages: messages.get(doc.id) })),
    ...of<(typeof spaces)[0]>(
      'space',
      ({ created_at }) => created_at,
      ({ name }) => texts([name], title),
    )(spaces),
    ...tags.map(({ id, name }) => ({ type: 'tag', id, moment: madeAt(id), texts: texts([name], title) })),
  ];
}

const NAMED = ['contact', 'organization', 'space', 'tag'];

function matches({ text, phone }: Doc['texts'][0], term: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  if (phone && /^\d+$/.test(term) && (digits.startsWith(term) || (term.length >= 4 && digits.endsWith(term))))
    return true;
  return wordsIn(text).some((word) => word.startsWith(term));
}

const isShort = (terms: string[]) => terms.every((term) => /^[a-z0-9]{1,2}$/.test(term));

/** When the newest message was sent that has all of the words, of which one has to be longer than two letters. */
function saidAt(messages: Doc['messages'], terms: string[]): number | undefined {
  if (isShort(terms)) return undefined;
  const saying = (messages ?? []).filter(({ texts: all }) =>
    terms.every((term) => all.some((text) => matches(text, term))),
  );
  return saying.length > 0 ? Math.max(...saying.map(({ moment }) => moment)) : undefined;
}

type Ranked = Pick<Doc, 'moment'> & { tier: number };

function rankOf(doc: Doc, query: string): Ranked | undefined {
  const tier = tierOf(doc, query);
  const isByMessages = doc.messages !== undefined && !isShort(wordsIn(query));
  if (tier !== undefined && !(isByMessages && tier === 4)) return { tier, moment: doc.moment };
  const moment = saidAt(doc.messages, wordsIn(query));
  return moment === undefined ? undefined : { tier: 5, moment };
}

function tierOf({ type, texts: all }: Doc, query: string): number | undefined {
  const sent = query.trim();
  if (
    all.some(
      ({ text, value }) => value && (text === sent || (text.includes('.') && text === sent.toLowerCase())),
    )
  )
    return 1;
  const terms = wordsIn(query);
  const has = (some: Doc['texts']) =>
    terms.length > 0 && terms.every((term) => some.some((text) => matches(text, term)));
  if (has(all.filter(({ title }) => title))) return NAMED.includes(type) ? 2 : 3;
  return has(all) ? 4 : undefined;
}

/** Types and ids in the order of the specification. */
export function naiveSearch(docs: Doc[], query: string): string[] {
  return docs
    .flatMap((doc) => {
      const rank = rankOf(doc, query);
      return rank === undefined ? [] : [{ ...doc, ...rank }];
    })
    .sort((a, b) => a.tier - b.tier || b.moment - a.moment || (a.id > b.id ? -1 : 1))
    .map(({ type, id }) => `${type} ${id}`);
}
