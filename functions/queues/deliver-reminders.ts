import { reminders } from '#shared/composition/reminders.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { contextOf } from '#shared/context.ts';
import { deliverReminders } from '#shared/domain/collaboration/reminders/deliver.ts';
import { getServices } from '#shared/services.ts';

/** Every minute: reminds users of the tasks and events that they asked to be reminded of. */
export async function handler(): Promise<void> {
  await deliverReminders(contextOf(getServices(), { ...visibility, ...reminders }));
}
