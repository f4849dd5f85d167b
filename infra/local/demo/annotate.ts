import { setTimeout as pause } from 'node:timers/promises';
import { addDeals } from './deals.ts';
import { addMistakes } from './deletions.ts';
import { addDrafts } from './drafts.ts';
import { addEvents } from './events.ts';
import { addMilestones } from './milestones.ts';
import type { DemoComment } from './notes.ts';
import type { DemoUserKey } from './people.ts';
import type { DemoRecords } from './records.ts';
import { addSpaces } from './spaces.ts';
import { addTables } from './tables.ts';
import { addTasks } from './tasks.ts';
import { addUploads } from './uploads.ts';
import type { Ids, Place, Workspace } from './workspace.ts';

/** What people add to the mail: records, and what they note, mark and plan. */

const DAY = 86_400_000;

/** A rich-text document with the text and its mentions (ProseMirror JSON). */
function documentOf(html: string, mentions: { id: string; name: string }[]): string {
  const text = html.replaceAll(/<[^>]+>/g, ' ').trim();
  const nodes = mentions.map(({ id, name }) => ({ type: 'mention', attrs: { id, label: name } }));
  const content = [{ type: 'paragraph', content: [{ type: 'text', text }, ...nodes] }];
  return JSON.stringify({ type: 'doc', content });
}

async function addTags(workspace: Workspace, records: DemoRecords, tags: Ids): Promise<void> {
  const apply = async (by: DemoUserKey, place: Place, tag: string) => {
    const params = await workspace.record(by, place);
    await workspace.api(by).applyTag({ params, body: { tag_id: tags.get(tag) as string } });
  };
  const onThreads = records.taggings.map(async ({ thread_subject, tag }) =>
    apply(await workspace.reader(thread_subject), { thread_subject }, tag),
  );
  const onContacts = records.contact_taggings.map(({ contact_name, tag }) =>
    apply(workspace.owner, { contact_name }, tag),
  );
  await Promise.all([...onThreads, ...onContacts]);
}

async function addComment(
  workspace: Workspace,
  params: Awaited<ReturnType<Workspace['record']>>,
  { author, html_content, mentions, reactions = [] }: Omit<DemoComment, 'thread_subject' | 'answers'>,
  parent_comment_id?: string,
): Promise<string> {
  const json_content = documentOf(
    html_content,
    mentions.map((key) => workspace.user(key)),
  );
  const comment = { html_content, json_content, ...(parent_comment_id ? { parent_comment_id } : {}) };
  const { id } = (await workspace.api(author).createComment({ params, body: { comment } })).body.comment;
  for (const { by, text } of reactions)
    await workspace.api(by).addReaction({ params: { comment_id: id }, body: { reaction: { text } } });
  return id;
}

async function addComments(workspace: Workspace, records: DemoRecords): Promise<void> {
  let last: string | undefined;
  for (const { thread_subject, answers, ...comment } of records.comments) {
    const params = await workspace.record(comment.author, { thread_subject });
    last = await addComment(workspace, params, comment, answers ? last : undefined);
    // Comments are listed by their time in milliseconds.
    await pause(1);
  }
  for (const { contact_name, ...comment } of records.contact_comments)
    await addComment(workspace, await workspace.record(comment.author, { contact_name }), {
      ...comment,
      mentions: [],
    });
  for (const { organization_name, ...comment } of records.organization_comments)
    await addComment(workspace, await workspace.record(comment.author, { organization_name }), {
      ...comment,
      mentions: [],
    });
}

async function setStates(workspace: Workspace, { flags, snoozes, resolutions }: DemoRecords, now: Date) {
  const params = async (user: DemoUserKey, subject: string) => ({
    params: { thread_id: await workspace.thread(user, subject) },
  });
  await Promise.all([
    ...flags.map(async ({ user, thread_subject }) =>
      workspace.api(user).flagThread(await params(user, thread_subject)),
    ),
    ...resolutions.map(async ({ user, thread_subject }) =>
      workspace.api(user).resolveThread(await params(user, thread_subject)),
    ),
    ...snoozes.map(async ({ user, thread_subject, days }) => {
      const snooze_until = new Date(now.getTime() + days * DAY).toISOString();
      const at = await params(user, thread_subject);
      return workspace.api(user).snoozeThread({ ...at, body: { snooze_until } });
    }),
  ]);
}

async function pinContacts(workspace: Workspace, { pins }: DemoRecords): Promise<void> {
  await Promise.all(
    pins.map(({ user, contact_name }) =>
      workspace.api(user).pinContact({ params: { contact_id: workspace.contact(contact_name) } }),
    ),
  );
}

async function registerDevices(workspace: Workspace, { devices }: DemoRecords): Promise<void> {
  for (const { by, ...device } of devices) {
    const { id, session } = workspace.user(by);
    const device_token = { ...device, platform: 'android' as const, token: `demo:phone-of-${id}` };
    await session.createDeviceToken({ body: { device_token } });
  }
}

async function chooseMail(workspace: Workspace, { mailed }: DemoRecords): Promise<void> {
  for (const { by, events } of mailed) {
    const { id, session } = workspace.user(by);
    const settings = events.map((event) => [event, { push: true, email: true }] as const);
    const user = {
      notification_settings: Object.fromEntries(settings),
      notification_digest: 'hourly' as const,
    };
    await session.updateUser({ params: { id }, body: { user } });
  }
}

export async function annotate(
  workspace: Workspace,
  records: DemoRecords,
  tags: Ids,
  now: Date,
): Promise<void> {
  await addMilestones(workspace, records.milestones, now);
  await addSpaces(workspace, records.spaces, tags);
  await Promise.all([
    addTags(workspace, records, tags),
    addComments(workspace, records),
    setStates(workspace, records, now),
    pinContacts(workspace, records),
    addDrafts(workspace, records.drafts),
    addTasks(workspace, records.tasks, now),
    addDeals(workspace, records.deals, now),
    addEvents(workspace, records.events, now),
    addUploads(workspace, records.uploads, tags),
    addTables(workspace, records.tables),
    addMistakes(workspace, records.mistakes, now),
    registerDevices(workspace, records),
    chooseMail(workspace, records),
  ]);
}
