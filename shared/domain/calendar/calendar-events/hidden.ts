import type {
  Interaction,
  InteractionKind,
} from '#shared/domain/collaboration/share-requests/interaction.ts';
import { accessTo } from './access.ts';
import type { CalendarEvent } from './event.ts';
import { findEvent } from './load.ts';

/** Readers of the mailbox see only when a private event is, so nobody else learns of it. */
const interactionOf = (id: string, event: CalendarEvent): Interaction => ({
  id,
  label: { name: event.name },
  mailbox_ids: event.private || event.mailbox_id === null ? [] : [event.mailbox_id],
  isSeenBy: (user) => accessTo(user, event) !== undefined,
});

/** Events as interactions that users may ask for. */
export const eventInteractions: InteractionKind = {
  async find(table, account_id, ids) {
    const found = ids.map(async (id) => {
      const event = (await findEvent(table, id))?.event;
      return event?.account_id === account_id ? [[id, interactionOf(id, event)] as const] : [];
    });
    return new Map((await Promise.all(found)).flat());
  },
};
