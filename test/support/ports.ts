import { contacts } from '#shared/composition/contact-book.ts';
import { lists } from '#shared/composition/lists.ts';
import { mailArrival } from '#shared/composition/mail-arrival.ts';
import { replies } from '#shared/composition/replies.ts';
import { sharing } from '#shared/composition/sharing.ts';
import { visibility } from '#shared/composition/visibility.ts';

/** Every port, for tests and benches that call the domain: an entry point has those that it needs. */
export const allPorts = {
  ...contacts,
  ...lists,
  ...mailArrival,
  ...replies,
  ...sharing,
  ...visibility,
};

export type AllPorts = typeof allPorts;
