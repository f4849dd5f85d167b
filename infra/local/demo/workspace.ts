import type { Client } from '#shared/api/client.ts';
import type { families } from '../../../functions/catalogue.ts';
import type { DemoUserKey } from './people.ts';

/** The users of one account with their clients, and how they find what they speak of. */

export type Api = Client<typeof families>;

export interface DemoClient {
  id: string;
  name: string;
  mailbox_id: string | null;
  api: Api;
  /** With the session token: for what the app does when a person opens it. */
  session: Api;
}

export type DemoClients = ReadonlyMap<DemoUserKey, DemoClient>;

/** By name. */
export type Ids = ReadonlyMap<string, string>;

export type Place = { thread_subject: string } | { contact_name: string } | { organization_name: string };

export class Workspace {
  readonly clients: DemoClients;
  readonly #threads = new Map<DemoUserKey, Promise<Map<string, string>>>();
  /** Of the contacts that were created, by name. */
  readonly contacts = new Map<string, string>();
  /** Of the organizations, by name. */
  readonly organizations = new Map<string, string>();
  /** Of the milestones, by name. */
  readonly milestones = new Map<string, string>();

  /** Of the spaces, by name. */
  readonly spaces = new Map<string, string>();

  constructor(clients: DemoClients) {
    this.clients = clients;
  }

  /** Of the account: its first user. */
  get owner(): DemoUserKey {
    const [owner] = this.clients.keys();
    return owner as DemoUserKey;
  }

  user(key: DemoUserKey): DemoClient {
    const client = this.clients.get(key);
    if (!client) throw new Error(`The demo has no user ${key} in this account`);
    return client;
  }

  api(key: DemoUserKey): Api {
    return this.user(key).api;
  }

  async thread(key: DemoUserKey, subject: string): Promise<string> {
    let threads = this.#threads.get(key);
    if (!threads) this.#threads.set(key, (threads = threadsOf(this.api(key))));
    const id = (await threads).get(subject);
    if (!id) throw new Error(`The demo has no thread "${subject}" for ${key}`);
    return id;
  }

  /** Someone who sees the thread: the first of the users with a mailbox. */
  async reader(subject: string): Promise<DemoUserKey> {
    const owners = [...this.clients].filter(([, { mailbox_id }]) => mailbox_id !== null);
    for (const [key] of owners) {
      const found = await this.thread(key, subject).catch(() => undefined);
      if (found) return key;
    }
    throw new Error(`The demo has no thread "${subject}"`);
  }

  contact(name: string): string {
    const id = this.contacts.get(name);
    if (!id) throw new Error(`The demo has no contact ${name}`);
    return id;
  }

  organization(name: string): string {
    const id = this.organizations.get(name);
    if (!id) throw new Error(`The demo has no organization ${name}`);
    return id;
  }

  milestone(name: string): string {
    const id = this.milestones.get(name);
    if (!id) throw new Error(`The demo has no milestone ${name}`);
    return id;
  }

  space(name: string): string {
    const id = this.spaces.get(name);
    if (!id) throw new Error(`The demo has no space ${name}`);
    return id;
  }

  async record(key: DemoUserKey, place: Place) {
    if ('thread_subject' in place)
      return { record_type: 'threads' as const, record_id: await this.thread(key, place.thread_subject) };
    if ('organization_name' in place)
      return { record_type: 'organizations' as const, record_id: this.organization(place.organization_name) };
    return { record_type: 'contacts' as const, record_id: this.contact(place.contact_name) };
  }
}

type Page<T> = { records: T[]; page_info: { next_cursor: string | null } };

async function everyRecord<T>(list: (query: { next_cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  for (let next_cursor: string | undefined; ; ) {
    const { records, page_info } = await list(next_cursor ? { next_cursor } : {});
    all.push(...records);
    next_cursor = page_info.next_cursor ?? undefined;
    if (!next_cursor) return all;
  }
}

/** By the subject of the first message: a user whose mailbox lacks it sees the subject of a reply. */
async function threadsOf(api: Api): Promise<Map<string, string>> {
  const threads = await everyRecord(async (query) => (await api.listThreads({ query })).body.collection);
  return new Map(threads.map(({ id, subject }) => [(subject ?? '').replace(/^(re|fwd): /i, ''), id]));
}
