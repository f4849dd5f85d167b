import type { DeliveryJob } from '#shared/domain/collaboration/notifications/emit.ts';
import { handler } from '../../functions/queues/deliver-notifications.ts';
import { givenAccount } from './accounts.ts';
import { deliverMessages, openJobs } from './jobs.ts';
import { givenColleagues, givenCommenters, storedNotifications } from './notifications.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** More recipients than fit into the transaction of a comment, and their notifications. */
export interface ToldCrowd {
  author: TestUser;
  everybody: string[];
  /** A contact on which these users have commented. */
  givenContact(commenters: string[]): Promise<string>;
  /** A comment of the author on a contact. */
  comment(contact_id: string): Promise<{ id: string; created_at: string | null }>;
  openJobs(): Promise<DeliveryJob[]>;
  /** Returns how many of the jobs are delivered again. */
  deliver(...jobs: DeliveryJob[]): Promise<number>;
  /** The number of notifications of each user about the comment. */
  timesTold(comment_id: string, user_ids: string[]): Promise<number[]>;
}

export async function givenCrowd(workspace: Workspace, count: number): Promise<ToldCrowd> {
  const [author] = (await givenAccount(workspace, 1)) as [TestUser];
  const everybody = await givenColleagues(workspace, author, count);
  return {
    author,
    everybody,
    async givenContact(commenters) {
      const { contact } = (await author.api.createContact({ body: { contact: { name: 'Moira Bell' } } }))
        .body;
      await givenCommenters(workspace, { type: 'contacts', id: contact.id }, commenters);
      return contact.id;
    },
    async comment(record_id) {
      const params = { record_type: 'contacts' as const, record_id };
      return (await author.api.createComment({ params, body: { comment: { html_content: 'Hello' } } })).body
        .comment;
    },
    openJobs: () => openJobs(workspace.table),
    async deliver(...jobs) {
      return (
        await deliverMessages(
          handler,
          jobs.map(({ id }) => ({ job_id: id })),
        )
      ).failed.length;
    },
    async timesTold(comment_id, user_ids) {
      const stored = await Promise.all(user_ids.map((id) => storedNotifications(workspace, id)));
      return stored.map(
        (all) => all.filter(({ payload }) => (payload.comment as { id: string }).id === comment_id).length,
      );
    },
  };
}
