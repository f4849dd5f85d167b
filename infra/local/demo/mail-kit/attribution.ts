import { wallTime } from './clock.ts';
import type { Draft, Person } from './draft.ts';

/** The line that a mail program puts above a quote, in the language and time zone of the replying person. */
export function attribution(quoted: Draft, by: Draft): string {
  const { name, address } = quoted.from;
  const { lang, zone } = by.from;
  const w = wallTime(quoted.sent, zone, lang === 'en' ? 'en-US' : lang);
  const clock = `${w.hh}:${w.minute}`;
  const english = `${w.hour12}:${w.minute} ${w.half}`;
  switch (by.client) {
    case 'gmail':
      if (lang === 'es') {
        return `El ${w.weekdayShort}, ${w.day} ${w.monthShort} ${w.year} a las ${w.hour}:${w.minute}, ${name} (<${address}>) escribió:`;
      }
      if (lang === 'ar') {
        const half = w.half === 'AM' ? 'ص' : 'م';
        return `في ${w.weekday}، ${w.day} ${w.month} ${w.year} في ${w.hour12}:${w.minute} ${half} تمت كتابة ما يلي بواسطة ${name} <${address}>:`;
      }
      return `On ${w.weekdayShort}, ${w.monthShort} ${w.day}, ${w.year} at ${english.replace(' ', '\u202f')} ${name} <${address}> wrote:`;
    case 'apple':
      return `On ${w.day} ${w.monthShort} ${w.year}, at ${clock}, ${name} <${address}> wrote:`;
    case 'thunderbird':
      if (lang === 'ru') return `${w.dd}.${w.mm}.${w.year} ${clock}, ${name} пишет:`;
      return `On ${w.mm}/${w.dd}/${w.year} ${english}, ${name} wrote:`;
    case 'yahoo':
      if (lang === 'fr') {
        return `Le ${w.weekday} ${w.day} ${w.month} ${w.year} à ${clock}:${w.second} UTC${w.shortOffset}, ${name} <${address}> a écrit :`;
      }
      return `On ${w.weekday}, ${w.month} ${w.day}, ${w.year} at ${w.hour12}:${w.minute}:${w.second} ${w.half} GMT${w.shortOffset}, ${name} <${address}> wrote:`;
    case 'proton':
      return `On ${w.weekday}, ${w.month} ${ordinal(w.day)}, ${w.year} at ${english}, ${name} <${address}> wrote:`;
    default:
      if (lang === 'ja') {
        return `${w.year}年${Number(w.mm)}月${w.day}日(${w.weekdayShort}) ${w.hour}:${w.minute} ${name} <${address}>:`;
      }
      return `On ${w.weekdayShort}, ${w.day} ${w.monthShort} ${w.year} at ${clock}, ${name} wrote:`;
  }
}

function ordinal(day: number): string {
  if (day > 3 && day < 21) return `${day}th`;
  return `${day}${['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'}`;
}

interface HeaderLine {
  label: string;
  value: string;
}

const labels = {
  en: ['From', 'Sent', 'To', 'Cc', 'Subject'],
  de: ['Von', 'Gesendet', 'An', 'Cc', 'Betreff'],
  zh: ['发件人', '发送时间', '收件人', '抄送', '主题'],
} as const;

/** The block of headers that Outlook puts above a quote, and other programs above a forward. */
export function headerBlock(quoted: Draft, by: Draft): HeaderLine[] {
  const lang = by.from.lang === 'de' || by.from.lang === 'zh' ? by.from.lang : 'en';
  const w = wallTime(quoted.sent, by.from.zone, lang === 'en' ? 'en-US' : lang);
  const clock = `${w.hour}:${w.minute}`;
  const sent = {
    en: `${w.weekday}, ${w.month} ${w.day}, ${w.year} ${w.hour12}:${w.minute} ${w.half}`,
    de: `${w.weekday}, ${w.day}. ${w.month} ${w.year} ${clock}`,
    zh: `${w.year}年${Number(w.mm)}月${w.day}日 ${clock}`,
  }[lang];
  const list = (people: readonly Person[]) => people.map(written).join('; ');
  const values = [written(quoted.from), sent, list(quoted.to), list(quoted.cc), quoted.subject ?? ''];
  return labels[lang]
    .map((label, index) => ({ label, value: values[index]! }))
    .filter((line) => line.value !== '');
}

/** "Ada Lovelace <ada@acme.example>" */
export function written(person: Person): string {
  return `${person.name} <${person.address}>`;
}
