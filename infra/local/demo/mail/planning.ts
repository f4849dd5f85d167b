import { type Clock, dayName } from '../mail-kit/clock.ts';
import { ada, grace, linus } from '../mail-kit/correspondents.ts';
import { conversation, type Draft } from '../mail-kit/draft.ts';
import { invitation } from '../mail-kit/files.ts';

/** Three people in three time zones look for an hour. */
export function planning(clock: Clock): Draft[] {
  const talk = conversation('planning');
  const hour = clock.ahead(4, '12:00');

  const search = talk.write({
    from: ada,
    to: [grace, linus],
    subject: 'Finding an hour that exists in three time zones',
    sent: clock.at(5, '11:12'),
    body: `Dear both,

      We need an hour to plan the next quarter. I have looked for one that is daytime in London, New York and
      Tokyo, and can report that the Earth has not been designed with us in mind.

      | 12:00 UTC: noon or so for me, breakfast for Grace, bedtime for Linus
      | 22:00 UTC: bedtime for me, dinner for Grace, breakfast for Linus
      | 17:00 UTC: nobody should ask this of Linus

      Votes, please. Grumbling is allowed but must fit in one line.`,
  });

  const grumble = talk.reply(search, {
    from: linus,
    sent: clock.at(4, '00:20'),
    body: `Noon for Ada, please. I am witty until ten in the evening and kind until eleven, so it just fits.`,
    signature: false,
  });

  const agreed = talk.reply(grumble, {
    from: grace,
    to: [ada, linus],
    cc: [],
    sent: clock.at(4, '13:00'),
    body: `Agreed. I am none of those things before coffee, so the invitation should say that I will be listening for
      the first ten minutes.`,
    signature: false,
  });

  const invite = talk.reply(agreed, {
    from: ada,
    to: [grace, linus],
    cc: [],
    sent: clock.at(3, '09:05'),
    quote: false,
    body: `Done: ${dayName(hour)} at noon UTC. The invitation is attached, with Grace's coffee clause.

      Agenda: springs, ferries, the person with the wind turbine, and whether the fern gets its own budget line.`,
    calendar: invitation({
      uid: 'planning-quarter@acme.example',
      summary: 'Planning the next quarter',
      description: 'Springs, ferries, people, fern.\nGrace listens for the first ten minutes.',
      location: 'The usual call, or the long table in Quay Street',
      start: hour,
      minutes: 60,
      made: clock.at(3, '09:05'),
      organizer: ada,
      attendees: [grace, linus],
    }),
  });

  talk.reply(invite, {
    from: linus,
    to: [ada, grace],
    cc: [],
    sent: clock.ago(700),
    client: 'apple',
    signature: ['Sent from my iPhone'],
    body: `Accepted. The bonsai would like it noted that it has never had a budget line and has not complained.`,
  });

  return talk.drafts;
}
