import { webAddress } from '#shared/domain/crm/details/written.ts';
import { inOneLine } from './one-line.ts';
import { every, type Property, textIn, textOf, type VEvent } from './vevent.ts';

/** What an event of a file is about. */

const escaped = (text: string) =>
  text.replace(
    /[&<>"]/g,
    (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each] ?? each,
  );

/** As a paragraph with its line ends. */
const paragraph = (text: string) => `<p>${escaped(text).replace(/\r?\n/g, '<br>')}</p>`;

/** Outlook escapes the HTML as if it were text. */
const unescapedText = (text: string) =>
  text.replace(/\\([n\\;,])/gi, (_, each: string) => (each.toLowerCase() === 'n' ? '\n' : each));

function descriptionIn(event: VEvent): string | undefined {
  const html = every(event, 'x-alt-desc').find(
    ({ parameters }) => parameters.fmttype?.toLowerCase() === 'text/html',
  );
  if (html) return unescapedText(textIn(html));
  const text = textOf(event, 'description');
  if (text === '') return undefined;
  // Google writes HTML as the text.
  return /<\/?(p|br|a|b|i|u|ul|ol|li|span|div|html-blob)\b[^<>]*>/i.test(text) ? text : paragraph(text);
}

const CONFERENCES = ['conference', 'x-google-conference', 'x-microsoft-skypeteamsmeetingurl', 'url'];

/** The first link to a meeting, else to the event; telephone numbers are none. */
function conferenceIn(event: VEvent): string | undefined {
  const all = CONFERENCES.flatMap((name): Property[] => every(event, name));
  return all.map(textIn).find((text) => webAddress.safeParse(text).success);
}

const filled = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));

/** Events of others' calendars may have no name. */
const UNNAMED = 'Untitled';

export function textsIn(event: VEvent): Record<string, unknown> {
  return {
    name: inOneLine(textOf(event, 'summary')) || UNNAMED,
    ...filled({
      description_html: descriptionIn(event),
      location: inOneLine(textOf(event, 'location')),
      conference_url: conferenceIn(event),
    }),
    private: ['PRIVATE', 'CONFIDENTIAL'].includes(textOf(event, 'class').toUpperCase()),
  };
}
