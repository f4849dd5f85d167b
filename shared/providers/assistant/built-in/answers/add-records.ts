import { propose } from '#shared/providers/assistant/built-in/propose.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { quote, recordLink } from '#shared/providers/assistant/built-in/say.ts';
import { cut, fold } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** "Add the organization Northwind (northwind.example)", "create a deal Ferries for 12,000 EUR". */

const DOMAIN =
  /[ ,(]{1,3}(?:with |and )?(?:the |its )?(?:(?:web|mail) )?(?:domain |at )?(?<domain>[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4})\)?$/iu;

export async function addOrganization(question: Question, workspace: Workspace): Promise<string> {
  const said = question.value ?? '';
  const match = DOMAIN.exec(said);
  const domain = match?.groups?.domain?.toLowerCase();
  const name = cut(said.slice(0, match?.index), 255);
  if (workspace.has('search_organizations')) {
    const { organizations } = await workspace.use('search_organizations', { query: name.slice(0, 200) });
    const there = organizations.find((each) => fold(each.name) === fold(name));
    if (there) return `${recordLink('organization', there)} is an organization already.`;
  }
  const params = { name, ...(domain ? { domains: [domain] } : {}) };
  const what = `add the organization ${quote(name, 200)}${domain ? ` with the domain ${domain}` : ''}`;
  return propose(workspace, 'organization.create', params, what);
}

const SYMBOLS: Record<string, string> = { '€': 'EUR', $: 'USD', '£': 'GBP' };
const AMOUNT =
  /,? (?:for|of|over|worth|at) (?<before>[€$£]|[A-Z]{3})? ?(?<number>\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d{1,12}(?:\.\d{1,2})?)(?<thousand> ?k)? ?(?<after>[€$£]|[A-Z]{3}|euros?|dollars?|pounds?)?$/u;

function currencyOf(said: string | undefined): string | undefined {
  if (said === undefined) return undefined;
  const word = { e: 'EUR', d: 'USD', p: 'GBP' }[/^(?:euro|dollar|pound)/.exec(said)?.[0]?.[0] ?? ''];
  return SYMBOLS[said] ?? word ?? said;
}

/** Of the record that it was asked on. */
function linkHere({ asked: { about } }: Workspace): object {
  if (about?.type === 'organization') return { organization_id: about.id };
  return about?.type === 'contact' ? { contact_ids: [about.id] } : {};
}

export async function addDeal(question: Question, workspace: Workspace): Promise<string> {
  const said = question.value ?? '';
  const match = AMOUNT.exec(said);
  const { number, before, after, thousand } = match?.groups ?? {};
  const name = cut(said.slice(0, match?.index), 255);
  const amount = number && Number(number.replaceAll(',', '')) * (thousand ? 1_000 : 1);
  const currency = currencyOf(before ?? after);
  const money = { ...(amount ? { amount } : {}), ...(amount && currency ? { currency } : {}) };
  const worth = amount ? ` of ${amount.toLocaleString('en')}${currency ? ` ${currency}` : ''}` : '';
  const params = { name, ...money, ...linkHere(workspace) };
  return propose(workspace, 'deal.create', params, `add the deal ${quote(name, 200)}${worth}`);
}
