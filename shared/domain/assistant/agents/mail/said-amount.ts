import type { DealSignal } from '#shared/domain/assistant/answering/assistant.ts';
import { currency } from '#shared/values.ts';

/** Digits with the signs that group them: "12,500.00", "12 500", "12'500". */
const NUMBER = /\d(?:[\d.,'’\u00A0\u202F ]*\d)?/g;

/** The amount of a deal, if the mail itself says that number: a model may make one up. */
export function saidAmount(
  { amount, currency: code }: Pick<DealSignal & { kind: 'new' }, 'amount' | 'currency'>,
  text: string,
): { amount?: number; currency?: string } {
  const unit = currency.safeParse(code);
  if (amount === null || !unit.success) return {};
  const whole = String(Math.trunc(amount));
  const said = (text.match(NUMBER) ?? []).map((number) => number.replaceAll(/\D/g, ''));
  return said.some((digits) => digits === whole || digits === `${whole}00`)
    ? { amount, currency: unit.data }
    : {};
}
