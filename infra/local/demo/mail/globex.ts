import { type Clock, dayName } from '../mail-kit/clock.ts';
import { hank, mindy } from '../mail-kit/correspondents.ts';
import { conversation, type Draft, type Person } from '../mail-kit/draft.ts';
import { pdf } from '../mail-kit/files.ts';

/** The mail of the second account: another company, other people, the same API. */

const common = { zone: 'America/Los_Angeles', lang: 'en' } as const;

const rosalind: Person = {
  ...common,
  name: 'Rosalind Achebe',
  address: 'rosalind@slowswing.example',
  client: 'gmail',
  signature: ['Rosalind Achebe', 'Slow Swing Hammocks, Main Street'],
};

const felix: Person = {
  ...common,
  name: 'Felix Ortega',
  address: 'felix.ortega@cypresscreek.example',
  client: 'outlook',
  signature: ['Felix Ortega', 'Planning desk, Town of Cypress Creek'],
};

const almanac: Person = {
  ...common,
  name: 'Cypress Creek Almanac',
  address: 'news@almanac.example',
  client: 'plain',
  signature: [],
  category: 'Promotions',
};

function hammocks(clock: Clock): Draft[] {
  const talk = conversation('hammocks');
  const ask = talk.write({
    from: hank,
    to: [rosalind],
    cc: [mindy],
    subject: 'Hammocks for the third floor',
    sent: clock.at(6, '16:30'),
    body: `Hello Rosalind,

      We would like thirty hammocks for people who think better lying down, which is everyone I have asked. Could
      you quote, with hooks? Mindy has the floor plan.`,
  });
  const quote = talk.reply(ask, {
    from: rosalind,
    sent: clock.at(5, '18:05'),
    body: `Hello Hank,

      Gladly. The quote is attached. Hooks are included, because a hammock without hooks is a blanket.

      Before I cut the rope I need to know what the ceiling is made of.`,
    files: [
      pdf('quote-0317-hammocks.pdf', 'Quote 0317', [
        '30 hammocks, cotton, 3.1 m: 4,170.00',
        '60 hooks: included',
        'Delivery: two weeks after the order',
      ]),
    ],
  });
  const ceiling = talk.reply(quote, {
    from: mindy,
    sent: clock.at(2, '17:40'),
    body: `Hi Rosalind, the ceiling is concrete, and the architect says it would carry a bus. It will not have to.`,
  });
  talk.reply(ceiling, {
    from: rosalind,
    sent: clock.ago(130),
    body: `Concrete is perfect. Shall I write the order for thirty, or for thirty-one? Somebody always asks later.`,
  });
  return talk.drafts;
}

function siteVisit(clock: Clock): Draft[] {
  const talk = conversation('site-visit');
  const visit = clock.ahead(4, '17:00');
  const notice = talk.write({
    from: felix,
    to: [hank],
    subject: 'Site visit: the car park behind the dam',
    sent: clock.at(4, '19:10'),
    body: `Dear Mr Scorpio,

      The council would like to look at the new car park on ${dayName(visit)}. Please have the drainage drawing at
      hand, and somebody who can explain the second basement, which is not on our copy.`,
  });
  const coffee = talk.reply(notice, {
    from: hank,
    sent: clock.at(3, '20:25'),
    body: `Dear Felix, with pleasure. There will be coffee. The second basement is for the bicycles.`,
  });
  talk.reply(coffee, {
    from: felix,
    sent: clock.at(2, '19:40'),
    body: `Bicycles are allowed. Please bring the key to the sluice on ${dayName(visit)}.

      The town would also like to rent forty of those places. Could you send us a price for the summer?`,
  });
  return talk.drafts;
}

function forecast(clock: Clock): Draft[] {
  const talk = conversation('almanac-12');
  talk.write({
    from: almanac,
    to: [hank],
    subject: 'The Almanac, week by week: wind from the lake',
    sent: clock.at(1, '14:00'),
    headers: { 'List-Unsubscribe': '<https://almanac.example/leave>', Precedence: 'list' },
    body: `Mild, with wind from the lake on most afternoons. Hang nothing outside that you wish to keep.

      To leave this list: https://almanac.example/leave`,
  });
  return talk.drafts;
}

export function globex(clock: Clock): Draft[] {
  return [...hammocks(clock), ...siteVisit(clock), ...forecast(clock)];
}
