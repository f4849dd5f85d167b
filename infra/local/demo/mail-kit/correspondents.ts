import { demoAccounts } from '../people.ts';
import type { Person } from './draft.ts';
import { ferryLogo } from './images.ts';

function colleague(key: string, habits: Omit<Person, 'name' | 'address' | 'zone' | 'lang'>): Person {
  const user = demoAccounts.flatMap((account) => account.users).find((each) => each.key === key)!;
  return { name: user.name, address: user.email_address, zone: user.time_zone, lang: 'en', ...habits };
}

export const ada = colleague('ada', {
  client: 'gmail',
  signature: ['Ada Lovelace', 'Founder, Acme', 'The Old Chapel, Quay Street · +44 20 7946 0123'],
  mailboxes: ['ada'],
});

export const grace = colleague('grace', {
  client: 'thunderbird',
  signature: ['Grace Hopper', 'Head of engineering, Acme', 'I keep a nanosecond in my bag. Ask to see it.'],
  mailboxes: ['grace'],
});

export const linus = colleague('linus', {
  client: 'apple',
  signature: ['Linus Pauling', 'Acme Tokyo (population: one, plus a bonsai)'],
});

export const hank = colleague('hank', {
  client: 'apple',
  signature: ['Hank Scorpio', 'Globex, Cypress Creek'],
  mailboxes: ['hank'],
});

export const mindy = colleague('mindy', {
  client: 'outlook-web',
  signature: ['Mindy Simmons', 'Globex, Cypress Creek'],
});

/** The address that reaches everyone. */
export const team: Person = {
  name: 'Everyone at Acme',
  address: 'team@acme.example',
  zone: 'Europe/London',
  lang: 'en',
  client: 'plain',
  signature: [],
  mailboxes: ['ada', 'grace'],
};

export const copier: Person = {
  name: 'Hallway copier',
  address: 'copier@acme.example',
  zone: 'Europe/London',
  lang: 'en',
  client: 'plain',
  signature: [],
  category: 'Updates',
};

export const moira: Person = {
  name: 'Moira Kincaid',
  address: 'moira@bellwether.example',
  zone: 'Europe/London',
  lang: 'en',
  client: 'outlook',
  signature: ['Moira Kincaid', 'Shore Crew, Bellwether Ferries'],
};

export const priya: Person = {
  name: 'Priya Raghunathan',
  address: 'priya@bellwether.example',
  zone: 'Europe/London',
  lang: 'en',
  client: 'outlook',
  signature: ['Priya Raghunathan', 'Head of Fleet Operations', 'Bellwether Ferries, Pier Head, Gull Street'],
  logo: ferryLogo,
};

export const tom: Person = {
  name: 'Tom Abernathy',
  address: 'tom.abernathy@bellwether.example',
  zone: 'Europe/London',
  lang: 'en',
  client: 'outlook-web',
  signature: ['Tom Abernathy', 'Procurement', 'Bellwether Ferries'],
};

export const juergen: Person = {
  name: 'Jürgen Krämer',
  address: 'j.kraemer@kraemer-federn.example',
  zone: 'Europe/Berlin',
  lang: 'de',
  client: 'outlook',
  signature: ['Jürgen Krämer', 'Geschäftsführer', 'Krämer Federn GmbH · Mühlgäßchen 4 · 59555 Lippstadt'],
  charset: 'iso-8859-1',
  transfer: 'quoted-printable',
};

export const noemie: Person = {
  name: 'Noémie Lefèvre',
  address: 'noemie.lefevre@courriel.example',
  zone: 'Europe/Paris',
  lang: 'fr',
  client: 'yahoo',
  signature: ['Noémie Lefèvre', 'Ingénieure acoustique · Nantes'],
};

export const tomas: Person = {
  name: 'Tomás Iglesias',
  address: 'tomas.iglesias@correo.example',
  zone: 'Europe/Madrid',
  lang: 'es',
  client: 'gmail',
  signature: ['Tomás Iglesias', 'Desarrollador de firmware · Vigo'],
};

export const ines: Person = {
  name: 'Inês Duarte',
  address: 'ines@smallmachines.example',
  zone: 'Europe/Lisbon',
  lang: 'en',
  client: 'apple',
  signature: ['Inês Duarte', 'Programme chair, Small Machines'],
  category: 'Forums',
};

export const malik: Person = {
  name: 'Malik Osei',
  address: 'malik.osei@tidewater.example',
  zone: 'America/Chicago',
  lang: 'en',
  client: 'thunderbird',
  signature: ['Malik Osei', 'Customer engineering, Tidewater Hosting'],
};

export const tidewater: Person = {
  name: 'Tidewater Status',
  address: 'no-reply@status.tidewater.example',
  zone: 'UTC',
  lang: 'en',
  client: 'gmail',
  signature: [],
  category: 'Updates',
};

export const beatrix: Person = {
  name: 'Beatrix Lindqvist',
  address: 'accounts@harbourprint.example',
  zone: 'Europe/Stockholm',
  lang: 'en',
  client: 'outlook-web',
  signature: ['Beatrix Lindqvist', 'Accounts (and guillotine)', 'Harbour Print Works'],
};

export const wren: Person = {
  name: 'Wren Ashdown',
  address: 'wren@ashdown.example',
  zone: 'Europe/London',
  lang: 'en',
  client: 'proton',
  signature: ['Wren Ashdown', 'Industrial design, Ashdown Studio'],
};

export const otis: Person = {
  name: 'Otis Marlowe',
  address: 'otis@marlowe.example',
  zone: 'Europe/Dublin',
  lang: 'en',
  client: 'proton',
  signature: ['Otis'],
};

export const yumi: Person = {
  name: '佐藤 由美',
  address: 'yumi.sato@hoshino-seiki.example',
  zone: 'Asia/Tokyo',
  lang: 'ja',
  client: 'plain',
  signature: ['星野精機株式会社 技術部', '佐藤 由美', '東京都大田区'],
  charset: 'iso-2022-jp',
  transfer: '7bit',
};

export const anna: Person = {
  name: 'Анна Соколова',
  address: 'anna.sokolova@volna.example',
  zone: 'Asia/Yerevan',
  lang: 'ru',
  client: 'thunderbird',
  signature: ['Анна Соколова', 'Лаборатория вибраций, институт «Волна»'],
  charset: 'windows-1251',
  transfer: 'base64',
};

export const wei: Person = {
  name: '陈伟',
  address: 'wei.chen@lianhe.example',
  zone: 'Asia/Shanghai',
  lang: 'zh',
  client: 'outlook',
  signature: ['陈伟', '联合铸造有限公司 销售部', '宁波'],
  charset: 'gb18030',
  transfer: 'base64',
};

export const layla: Person = {
  name: 'ليلى منصور',
  address: 'layla@noor-translations.example',
  zone: 'Africa/Cairo',
  lang: 'ar',
  client: 'gmail',
  signature: ['ليلى منصور', 'نور للترجمة التقنية · القاهرة'],
};

export const pemberton: Person = {
  name: 'Edith Pemberton',
  address: 'edith@pemberton-lets.example',
  zone: 'Europe/London',
  lang: 'en',
  client: 'plain',
  signature: ['E. Pemberton (Mrs)', 'Pemberton Lets, est. 1961'],
};

export const torque: Person = {
  name: 'The Torque Letter',
  address: 'editor@torqueletter.example',
  zone: 'Europe/London',
  lang: 'en',
  client: 'gmail',
  signature: [],
  category: 'Promotions',
};

export const nightline: Person = {
  name: 'Nightline Sleepers',
  address: 'no-reply@nightline.example',
  zone: 'Europe/Brussels',
  lang: 'en',
  client: 'gmail',
  signature: [],
  category: 'Updates',
};
