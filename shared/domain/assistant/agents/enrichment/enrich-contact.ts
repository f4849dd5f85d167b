import { asOfNow } from '#shared/context.ts';
import { findConfiguration } from '#shared/domain/assistant/agents/store.ts';
import { counted } from '#shared/domain/assistant/answering/usage.ts';
import { possible, Unanswered, type Work } from '#shared/domain/assistant/answering/work.ts';
import { loadContact } from '#shared/domain/crm/contacts/policy.ts';
import { grounded } from './grounded.ts';
import { ownMail } from './own-mail.ts';
import { proposeChanges } from './propose-changes.ts';

const nobody = {
  first_name: null,
  last_name: null,
  title: null,
  organization: null,
  phone_numbers: [],
  links: [],
};

/** Agent `auto_enrich`: what the mail that the user sees tells about the contact who wrote it. */
export const enrichContact: Work = async (ctx, { account_id, place }, deadline) => {
  const contact_id = place.kind === 'enrichment' ? place.contact_id : '';
  const [configuration, contact] = await Promise.all([
    findConfiguration(ctx.table, account_id, 'auto_enrich'),
    loadContact(ctx, contact_id),
  ]);
  if (!configuration.enabled) throw new Unanswered('off');
  if (!contact) throw new Unanswered('hidden');
  const mail = await ownMail(
    ctx,
    contact.email_addresses.map(({ email_address }) => email_address),
  );
  const assistant = ctx.ports.assistantOf(ctx.config);
  const about = { contact_id, thread_id: mail.thread_id };
  if (mail.messages.length === 0)
    return () => possible(proposeChanges(asOfNow(ctx), about, nobody, configuration));
  const { facts } = await counted(ctx, { account_id, purpose: 'auto_enrich', assistant }, () =>
    assistant.findFacts(mail, configuration.instructions, deadline),
  );
  return () => possible(proposeChanges(asOfNow(ctx), about, grounded(facts, mail), configuration));
};
