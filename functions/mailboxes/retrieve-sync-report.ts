import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { requireMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { presentReport, syncReportSchema } from '#shared/domain/mail/sync/report.ts';

export const retrieveSyncReport = route('retrieveSyncReport', {
  method: 'GET',
  path: '/mailboxes/{mailbox_id}/sync_report',
  access: 'read',
  summary: 'Compare a mailbox with its server',
  description:
    'How many messages each folder has at the server, and how many of them are here: both of the last run that came to ' +
    'its end or to its pause. Empty before the first run, and for a mailbox without a mail server.',
  returns: { 200: { sync_report: syncReportSchema } },
  uses: ['table:read'],
});

export const handler = handle(retrieveSyncReport, async ({ ctx, params }) => {
  const mailbox = await requireMailbox(ctx, params.mailbox_id);
  return { sync_report: await presentReport(ctx.table, mailbox) };
});
