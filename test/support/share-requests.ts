import { givenCalendar, givenEvent } from './events.ts';
import { givenMail } from './shares.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Threads and events that colleagues do not see and may ask for. */

export const tell = (owner: TestUser, mailbox_id: string, share_metadata = true) =>
  owner.api.updateMailbox({ params: { id: mailbox_id }, body: { mailbox: { share_metadata } } });

/** A thread in a mailbox of the owner whose metadata is shared. */
export async function givenHidden(workspace: Workspace, owner: TestUser, subject: string) {
  const { mailbox: mailbox_id, threads } = await givenMail(workspace, owner, [subject]);
  await tell(owner, mailbox_id);
  return { mailbox_id, thread_id: threads[subject] as string };
}

/** The same with an event. */
export async function givenHiddenEvent(
  workspace: Workspace,
  owner: TestUser,
  name: string,
  fields: object = {},
) {
  const { mailbox_id, calendar_id } = await givenCalendar(workspace, owner);
  await tell(owner, mailbox_id);
  const { id: event_id } = await givenEvent(owner, calendar_id, { name, ...fields });
  return { mailbox_id, event_id };
}

export const thread = (record_id: string) => ({ record_type: 'thread' as const, record_id });
export const event = (record_id: string) => ({ record_type: 'calendar_event' as const, record_id });

export const ask = ({ api }: TestUser, share_request: ReturnType<typeof thread | typeof event>) =>
  api.createShareRequest({ body: { share_request } });

/** The id of a new request. */
export const asked = async (...given: Parameters<typeof ask>): Promise<string> =>
  (await ask(...given)).body.share_request.id;

export const received = async ({ reader }: TestUser, status: 'pending' | 'all' = 'pending') =>
  (await reader.listShareRequests({ query: { direction: 'received', status } })).body.share_requests;

export const sent = async ({ reader }: TestUser, status: 'pending' | 'all' = 'pending') =>
  (await reader.listShareRequests({ query: { direction: 'sent', status } })).body.share_requests;
