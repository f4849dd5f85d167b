import type { Client } from '#shared/api/client.ts';
import type { families } from '../../../functions/catalogue.ts';
import { demoComments, demoContacts, demoFlags, demoTaggings, demoTags } from './notes.ts';
import { type DemoUserKey, demoAccounts } from './people.ts';

/** What people add to the mail: contacts, tags, comments, flags and read marks. */

export type DemoClients = Record<DemoUserKey, { id: string; api: Client<typeof families> }>;

/** Threads without newer messages than this many days are read. */
const READ_AFTER_DAYS = 3;

/** A rich-text document with the text and its mentions (ProseMirror JSON). */
function documentOf(html: string, mentions: { id: string; name: string }[]): string {
  const text = html.replaceAll(/<[^>]+>/g, ' ').trim();
  const nodes = mentions.map(({ id, name }) => ({ type: 'mention', attrs: { id, label: name } }));
  const content = [{ type: 'paragraph', content: [{ type: 'text', text }, ...nodes] }];
  return JSON.stringify({ type: 'doc', content });
}

type Threads = Map<string, { id: string; last_sent_at: string | null }>;

async function threadsOf(api: Client<typeof families>): Promise<Threads> {
  const threads: Threads = new Map();
  let next_cursor: string | null | undefined;
  do {
    const { body } = await api.listThreads({ query: next_cursor ? { next_cursor } : {} });
    // A user whose mailbox lacks the first message sees the subject of a reply.
    for (const thread of body.collection.records)
      threads.set((thread.subject ?? '').replace(/^(re|fwd): /i, ''), thread);
    next_cursor = body.collection.page_info.next_cursor;
  } while (next_cursor);
  return threads;
}

async function addContacts(clients: DemoClients): Promise<void> {
  for (const contact of demoContacts)
    await clients[contact.created_by].api.createContact({
      body: {
        contact: {
          name: contact.name,
          first_name: contact.first_name,
          last_name: contact.last_name,
          headline: [contact.job_title, contact.company].filter((part) => part !== '').join(', ') || null,
          description: contact.note,
          email_addresses: contact.email_addresses.map((email_address) => ({ email_address })),
          ...(contact.phone_number ? { phone_numbers: [{ phone_number: contact.phone_number }] } : {}),
        },
      },
    });
}

async function addTags(clients: DemoClients, threads: Record<string, Threads>): Promise<void> {
  const ids = new Map<string, string>();
  for (const tag of demoTags) {
    const { body } = await clients.ada.api.createTag({ body: { tag } });
    ids.set(tag.name, body.tag.id);
  }
  for (const { thread_subject, tag } of demoTaggings) {
    const key = threads.ada?.has(thread_subject) ? 'ada' : 'grace';
    await clients[key].api.applyTag({
      params: { record_type: 'threads', record_id: idOf(threads, key, thread_subject) },
      body: { tag_id: ids.get(tag) as string },
    });
  }
}

function idOf(threads: Record<string, Threads>, user: DemoUserKey, subject: string): string {
  const thread = threads[user]?.get(subject);
  if (!thread) throw new Error(`The demo has no thread "${subject}" for ${user}`);
  return thread.id;
}

async function addComments(clients: DemoClients, threads: Record<string, Threads>): Promise<void> {
  const names = new Map(
    demoAccounts.flatMap((account) => account.users).map((user) => [user.key, user.name]),
  );
  for (const { thread_subject, author, html_content, mentions } of demoComments) {
    const people = mentions.map((key) => ({ id: clients[key].id, name: names.get(key) as string }));
    await clients[author].api.createComment({
      params: { record_type: 'threads', record_id: idOf(threads, author, thread_subject) },
      body: { comment: { html_content, json_content: documentOf(html_content, people) } },
    });
  }
}

export async function annotate(clients: DemoClients): Promise<void> {
  await addContacts(clients);
  const threads = { ada: await threadsOf(clients.ada.api), grace: await threadsOf(clients.grace.api) };
  await addTags(clients, threads);
  await addComments(clients, threads);
  for (const { thread_subject, user } of demoFlags)
    await clients[user].api.flagThread({ params: { thread_id: idOf(threads, user, thread_subject) } });
  const recent = new Date(Date.now() - READ_AFTER_DAYS * 86_400_000).toISOString();
  for (const key of ['ada', 'grace'] as const)
    for (const thread of threads[key].values())
      if ((thread.last_sent_at ?? '') < recent)
        await clients[key].api.markThreadRead({ params: { thread_id: thread.id } });
}
