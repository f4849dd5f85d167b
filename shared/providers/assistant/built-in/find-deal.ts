import type { DealSignal, NewMessage, OpenDeal } from '#shared/domain/assistant/answering/assistant.ts';
import { newSentences } from './new-sentences.ts';
import { isRequest } from './sentences.ts';
import { cut } from './words.ts';

/** Business in plain words: who asks for an offer, and who orders. Better none than a wrong one. */

const NAME = 120;

/** In a request, and not what the writer has. */
const OFFER = /\b(?:quotes?|quotation|offer|estimate|price|pricing|price list|how much)\b/i;
const WANTS =
  /\b(?:i|we)(?:'d| would) (?:like|love) (?:to (?:order|buy|purchase|try|book|see a demo|have)\b|(?:about |some |another )?(?:\d|a demo|an offer|a quote))|\b(?:i|we) (?:want|plan|intend|hope) to (?:order|buy|purchase)\b|\binterested in (?:buying|ordering|your|a quote|an offer|a demo)\b/i;
const ORDERS =
  /\b(?:i|we) (?:hereby )?(?:accept|confirm|agree to|approve) (?:your|the) (?:offer|quote|quotation|proposal|order|price)\b|\b(?:our|the) purchase order (?:is|number|no\b)|\bplease (?:go ahead|proceed) with (?:the|our) order\b|\b(?:i|we)(?:'d| would) like to (?:go ahead|place (?:the|our|an) order)\b/i;
/** They sell, or it is over. */
const NOT_BUYING =
  /\b(?:our|my) (?:offer|quote|quotation|proposal|prices?|price list)\b|\bwe (?:offer|sell|can offer)\b|\bno longer\b|\bnot (?:interested|buy|order|need)\b|\bcancel\b/i;

const OFFER_STAGE = /\b(?:propos|offer|quot|tender|estimate)/i;

const orders = (sentences: string[]) => sentences.some((each) => ORDERS.test(each));

const asksForOffer = (sentences: string[]) =>
  sentences.some((each) => isRequest(each) && OFFER.test(each) && !NOT_BUYING.test(each));

const wantsSomething = (sentences: string[]) =>
  sentences.some((each) => WANTS.test(each) && !NOT_BUYING.test(each));

/** The deal that was written last is the one that is meant. */
function stepOf(sentences: string[], deals: OpenDeal[]): DealSignal | null {
  const [{ later }] = deals as [OpenDeal];
  const won = later.find(({ kind }) => kind === 'won');
  const offer = later.find(({ name, kind }) => kind === 'open' && OFFER_STAGE.test(name));
  const next = orders(sentences) ? won : asksForOffer(sentences) ? offer : undefined;
  return next ? { kind: 'step', deal: 0, stage_id: next.id } : null;
}

const AMOUNT = /(?<code>EUR|USD|GBP|CHF|€|\$|£)\s?(?<digits>\d{1,3}(?:[, ]\d{3})+|\d{2,9})(?![\d.,]*\d)/;
const CODES: Record<string, string> = { '€': 'EUR', $: 'USD', '£': 'GBP' };

function amountIn(sentences: string[]): { amount: number | null; currency: string | null } {
  const { code = '', digits } = sentences.map((each) => AMOUNT.exec(each)?.groups).find(Boolean) ?? {};
  if (digits === undefined) return { amount: null, currency: null };
  return { amount: Number(digits.replaceAll(/\D/g, '')), currency: CODES[code] ?? code };
}

const subjectOf = ({ subject }: NewMessage) =>
  cut((subject ?? '').replace(/^(?:(?:re|fwd?|aw)\s*:\s*)+/i, ''), NAME);

export function findDeal(mail: NewMessage, deals: OpenDeal[]): DealSignal | null {
  const sentences = newSentences(mail).map((each) => each.replaceAll('’', "'"));
  if (deals.length > 0) return stepOf(sentences, deals);
  const name = subjectOf(mail);
  const wants = asksForOffer(sentences) || wantsSomething(sentences) || orders(sentences);
  return wants && name !== '' ? { kind: 'new', name, ...amountIn(sentences) } : null;
}
