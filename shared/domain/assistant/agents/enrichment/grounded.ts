import type * as z from 'zod';
import type { Facts, ThreadText } from '#shared/domain/assistant/answering/assistant.ts';
import { digitsOf } from '#shared/domain/collaboration/record-lists/phones.ts';
import { written } from '#shared/domain/crm/contacts/written.ts';
import { writtenDetails } from '#shared/domain/crm/details/written.ts';
import { foldForSearch } from '#shared/folding.ts';

/** Facts that the mail itself says, in values that a contact can have: a model may make some up. */

const MOST = 5;

const comparable = (text: string) =>
  foldForSearch(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function valid<T>(schema: z.ZodType<T>, value: unknown): T | undefined {
  const read = schema.safeParse(value);
  return read.success ? read.data : undefined;
}

/** The address as a link; people write it without a scheme. */
const asLink = (said: string) => (/^https?:\/\//i.test(said) ? said : `https://${said}`);

export function grounded(facts: Facts, { messages }: ThreadText): Facts {
  const texts = messages.map(({ from, text }) => `${from}\n${text}`);
  const words = ` ${comparable(texts.join('\n'))} `;
  const lower = texts.join('\n').toLowerCase();
  const digits = texts.map((text) => digitsOf(text));
  const line = (value: string | null, field: keyof typeof written): string | null => {
    const read = value === null ? undefined : valid<unknown>(written[field], value);
    const said =
      typeof read === 'string' && comparable(read) !== '' && words.includes(` ${comparable(read)} `);
    return said ? (read as string) : null;
  };
  const phones = facts.phone_numbers.flatMap((phone_number) => {
    const [entry] = valid(writtenDetails.phone_numbers, [{ phone_number }]) ?? [];
    const number = digitsOf(entry?.phone_number ?? '');
    return entry && number.length >= 6 && digits.some((all) => all.includes(number))
      ? entry.phone_number
      : [];
  });
  const links = facts.links.flatMap((said) => {
    const [entry] = valid(writtenDetails.links, [{ url: asLink(said) }]) ?? [];
    return entry && lower.includes(said.toLowerCase().replace(/^https?:\/\//, '')) ? entry.url : [];
  });
  return {
    first_name: line(facts.first_name, 'first_name'),
    last_name: line(facts.last_name, 'last_name'),
    title: line(facts.title, 'headline'),
    organization: line(facts.organization, 'name'),
    phone_numbers: phones.slice(0, MOST),
    links: links.slice(0, MOST),
  };
}
