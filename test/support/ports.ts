import { actions } from '#shared/composition/actions.ts';
import { assistant } from '#shared/composition/assistant.ts';
import { contacts } from '#shared/composition/contact-book.ts';
import { dependents } from '#shared/composition/dependents.ts';
import { keeping } from '#shared/composition/keeping.ts';
import { lists } from '#shared/composition/lists.ts';
import { mailArrival } from '#shared/composition/mail-arrival.ts';
import { mailServer } from '#shared/composition/mail-server.ts';
import { meetings } from '#shared/composition/meetings.ts';
import { outgoingMail } from '#shared/composition/outgoing-mail.ts';
import { replies } from '#shared/composition/replies.ts';
import { sharingKept } from '#shared/composition/sharing-kept.ts';
import { tools } from '#shared/composition/tools.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';

/** Any kinds of records, also those of entry points that store nothing under one. */
const records: SeesRecords = keeping;

/** Every port, for tests and benches that call the domain; entry points have only those that they need. */
export const allPorts = {
  ...actions,
  ...assistant,
  ...contacts,
  ...dependents,
  ...lists,
  ...mailArrival,
  ...mailServer,
  ...meetings,
  ...outgoingMail,
  ...replies,
  ...sharingKept,
  ...tools,
  ...records,
};

export type AllPorts = typeof allPorts;
