import { actions } from '#shared/composition/actions.ts';
import { assistant } from '#shared/composition/assistant.ts';
import { contacts } from '#shared/composition/contact-book.ts';
import { dependents } from '#shared/composition/dependents.ts';
import { lists } from '#shared/composition/lists.ts';
import { mailArrival } from '#shared/composition/mail-arrival.ts';
import { mailServers } from '#shared/composition/mail-servers.ts';
import { replies } from '#shared/composition/replies.ts';
import { sharing } from '#shared/composition/sharing.ts';
import { tools } from '#shared/composition/tools.ts';
import { visibility } from '#shared/composition/visibility.ts';

/** Every port, for tests and benches that call the domain; entry points have only those that they need. */
export const allPorts = {
  ...actions,
  ...assistant,
  ...contacts,
  ...dependents,
  ...lists,
  ...mailArrival,
  ...mailServers,
  ...replies,
  ...sharing,
  ...tools,
  ...visibility,
};

export type AllPorts = typeof allPorts;
