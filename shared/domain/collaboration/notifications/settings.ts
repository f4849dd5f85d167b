import * as z from 'zod';
import { notificationEvents } from './event.ts';

const setting = z.object({ push: z.boolean(), email: z.boolean() }).meta({ id: 'NotificationSettingChange' });

/** Where the notifications of some events are sent from now on: `null` as when nothing was chosen. */
export const settingsChange = z
  .object(Object.fromEntries(notificationEvents.map((event) => [event, setting.nullish()])))
  .meta({ id: 'NotificationSettingChanges', example: { task_assigned: { push: true, email: false } } });
