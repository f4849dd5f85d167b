import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import { contactCreations } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { listAccountMailboxes } from '#shared/domain/mail/mailboxes/store.ts';
import { Misuse } from '../../cli/options.ts';
import { command } from './command.ts';
import { findAccount, findUser } from './find.ts';
import { account, address, name, oneOf, user } from './values.ts';

export const addMailbox = command({
  summary: 'Adds a mailbox for imported mail, and prints its id.',
  options: {
    account,
    user: { ...user, about: 'its owner' },
    email: {
      placeholder: '<address>',
      about: "of the mailbox (default the user's)",
      schema: address.optional(),
    },
    name: { placeholder: '<name>', about: "of the mailbox (default the user's)", schema: name.optional() },
    'contact-creation': {
      placeholder: '<which>',
      about: 'contacts from its mail: sent (written to), all or none (default sent)',
      schema: oneOf(contactCreations).default('sent'),
    },
  },
  async run(given, table, now) {
    const { id: account_id } = await findAccount(table, given.account);
    const owner = await findUser(table, account_id, given.user);
    const email_address = given.email ?? owner.email_address;
    const mailboxes = await listAccountMailboxes(table, account_id);
    const same = mailboxes.find(
      (mailbox) => mailbox.user_id === owner.id && mailbox.email_address === email_address,
    );
    if (same) throw new Misuse(`${owner.name} has a mailbox ${email_address} already: ${same.id}`);
    const draft = {
      ...{ account_id, user_id: owner.id, email_address },
      name: given.name ?? owner.name,
      contact_creation: given['contact-creation'],
    };
    const mailbox = await createMailbox(table, draft, now);
    return {
      json: { account_id, user_id: owner.id, mailbox_id: mailbox.id },
      result: mailbox.id,
      told: [`A mailbox ${email_address} of ${owner.name}:`],
    };
  },
});
