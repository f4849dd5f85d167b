import { workOnThreads } from '#shared/domain/assistant/agents/thread-work.ts';
import type { FollowsMail } from '#shared/domain/mail/imports/run.ts';

/** What happens to threads with new mail. */
export const mailArrival: FollowsMail = { mailArrived: workOnThreads };
