import * as z from 'zod';
import { eventSchema } from '#shared/domain/calendar/calendar-events/event.ts';
import { mailboxSchema } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { countSchema, currency, timestamp, uuid } from '#shared/values.ts';

const amount = z.number().meta({ example: 12_500 });

const deals = z
  .strictObject({
    pipeline_id: uuid,
    name: z.string().meta({ example: 'Sales' }),
    currency: currency.nullable(),
    open_count: z.int(),
    open_amount: amount,
    weighted_amount: amount,
    won_amount_30d: amount,
  })
  .meta({ id: 'DashboardPipeline' });

const mailbox = mailboxSchema
  .pick({ id: true, email_address: true, status: true })
  .meta({ id: 'DashboardMailbox' });

/** docs/specification/views.md, "Dashboard". */
export const dashboardSchema = z
  .strictObject({
    threads: z
      .strictObject({
        unread: countSchema,
        flagged: countSchema,
        unresolved: countSchema,
        awaiting: countSchema,
        snoozed: countSchema,
      })
      .meta({ id: 'DashboardThreads' }),
    tasks: z
      .strictObject({ overdue: countSchema, today: countSchema, upcoming: countSchema })
      .meta({ id: 'DashboardTasks' }),
    calendar_events: z.array(eventSchema),
    deals: z.array(deals),
    notifications: z
      .strictObject({ new_count: z.int(), unread_count: z.int() })
      .meta({ id: 'DashboardNotifications' }),
    proposals: z.strictObject({ pending_count: z.int() }).meta({ id: 'DashboardProposals' }),
    share_requests: z.strictObject({ pending_count: z.int() }).meta({ id: 'DashboardShareRequests' }),
    mailboxes: z.array(mailbox),
    generated_at: timestamp,
  })
  .meta({ id: 'Dashboard' });

export type Dashboard = z.input<typeof dashboardSchema>;
