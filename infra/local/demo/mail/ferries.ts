import { type Clock, dayName } from '../mail-kit/clock.ts';
import { ada, grace, linus, moira, priya, tom } from '../mail-kit/correspondents.ts';
import { conversation, type Draft } from '../mail-kit/draft.ts';
import { csv } from '../mail-kit/files.ts';
import { vibrationChart } from '../mail-kit/images.ts';

/** A customer deal from the first question to the order, and what came of it. */
export function ferries(clock: Clock): Draft[] {
  const talk = conversation('fleet');
  const fitting = clock.ahead(9, '08:00');

  const question = talk.write({
    from: priya,
    to: [ada],
    subject: 'Forty Limpets for the fleet',
    sent: clock.at(11, '09:42'),
    body: `Dear Ms Lovelace,

      I look after eleven ferries, twenty-two engines and one very old winch. We heard about your Limpet
      sensors from the pilots at Gull Street, who say one of them found a failing bearing a fortnight before
      their engineer did, and that he has not quite forgiven it.

      We would like about forty. Before I talk to our procurement people I have three questions:

      - Do they mind salt? Everything we own minds salt.
      - Can they report over the ship's own network, or do they want a telephone line of their own?
      - Could you fit them during our winter lay-up, which is short and already rather full?

      Kind regards,`,
  });

  const welcome = talk.reply(question, {
    from: ada,
    cc: [grace],
    sent: clock.at(11, '11:05'),
    body: `Dear Priya (if I may),

      Thank you, that is the nicest thing anyone has said about a bearing this month.

      Salt: no, they were tested in a bucket of the North Sea for a year. The bucket fared worse. Network: yes,
      they speak to anything with an Ethernet socket. Lay-up: I think so, and I am copying Grace, who runs
      engineering here and will tell you if I am being optimistic. She is usually right.`,
  });

  const survey = talk.reply(welcome, {
    from: grace,
    to: [priya],
    cc: [ada],
    sent: clock.at(10, '14:20'),
    body: `Hello Priya,

      Ada is being only slightly optimistic. Two people can fit forty Limpets in three days provided we know
      beforehand where they go. Could you send a list of the engines, with the surface each sensor would sit
      on? Cast iron is ideal. Aluminium needs a steel pad, because magnets have opinions.

      And tell me more about the winch. I have a soft spot for winches.`,
  });

  const list = talk.reply(survey, {
    from: priya,
    to: [grace],
    cc: [ada, tom],
    sent: clock.at(9, '10:15'),
    body: `Hello Grace,

      List attached. I have added a column for how each engineer feels about the project, which ranges from
      "keen" to "over my dead body (Colin)". Colin comes round if there is cake.

      The winch is from 1958 and answers to Doreen. I am adding Tom from procurement, who will want to speak
      about money.`,
    files: [
      csv('engines-and-feelings.csv', [
        ['vessel', 'engine', 'surface', 'sensors', 'engineer', 'feelings'],
        ['Kittiwake', 'port main', 'cast iron', 4, 'Moira', 'keen'],
        ['Kittiwake', 'starboard main', 'cast iron', 4, 'Moira', 'keen'],
        ['Razorbill', 'port main', 'aluminium', 4, 'Colin', 'over my dead body, he says'],
        ['Razorbill', 'starboard main', 'aluminium', 4, 'Colin', 'as above, but louder'],
        ['Fulmar', 'main', 'cast iron', 6, 'Jean', 'curious'],
        ['Guillemot', 'main', 'cast iron', 6, 'Ranjit', 'keen, wants graphs'],
        ['Puffin', 'main', 'cast iron', 6, 'Moira', 'still keen'],
        ['Skua', 'generator', 'cast iron', 4, 'Jean', 'curious, has brought her own magnet'],
        ['Pier Head', 'winch (Doreen)', 'cast iron, painted 31 times', 2, 'everyone', 'fond'],
      ]),
    ],
  });

  const price = talk.reply(list, {
    from: tom,
    to: [ada],
    cc: [],
    sent: clock.at(7, '08:50'),
    body: `Good morning,

      Priya tells me I am the person who will want to speak about money, so here I am. The list comes to forty
      sensors. Is there a price for forty that differs from forty times the price for one? I ask everyone this.
      It works more often than you would think.`,
  });

  const offer = talk.reply(price, {
    from: ada,
    cc: [priya],
    sent: clock.at(7, '10:31'),
    body: `Good morning Tom,

      It works here as well. From thirty upwards we take twelve per cent off, and the steel pads for Razorbill
      are included, since I would not want Colin to have a grievance with figures in it.

      | 40 Limpets, fleet price: 11,264.00
      | Fitting, two people, three days: 2,400.00
      | First year of the dashboard: included

      The offer stands until the end of the month, and quietly for a while after that.`,
  });

  const winch = talk.reply(list, {
    from: grace,
    to: [priya],
    cc: [],
    sent: clock.at(6, '15:12'),
    quote: false,
    body: `Hello Priya,

      One question that need not trouble the others. Your list says Doreen has been painted thirty-one times.
      If the paint is thicker than four millimetres the sensor will mostly hear paint. Would anyone mind if we
      scraped a patch the size of a saucer?`,
  });

  talk.reply(winch, {
    from: priya,
    sent: clock.at(5, '09:03'),
    body: `Permission from the harbour master, on condition that the saucer is repainted the same day in the same
      green. He keeps a tin of it in his desk. I did not ask why.`,
    signature: false,
  });

  const order = talk.reply(offer, {
    from: tom,
    to: [ada],
    cc: [priya, grace],
    sent: clock.at(4, '13:44'),
    body: `Dear Ada,

      Approved. Our purchase order is BF-20417; please put the number on everything, including, ideally, the
      cake. Fitting from ${dayName(fitting)} would suit us, as all three boats are in.`,
  });

  const thanks = talk.reply(order, {
    from: ada,
    to: [tom, priya],
    cc: [grace, linus],
    sent: clock.at(4, '15:20'),
    body: `Thank you both, this is the best kind of message to get after lunch.

      ${dayName(fitting)} it is. Linus, who watches the data from our Tokyo office while the rest of us sleep,
      is copied so that you know the name when he writes to you at three in the morning with good news.`,
  });

  talk.reply(thanks, {
    from: linus,
    to: [tom, priya],
    cc: [ada, grace],
    sent: clock.at(3, '00:48'),
    quote: false,
    body: `Good morning from tomorrow,

      To show what we look for, here is an engine much like Razorbill's. The teal is a contented machine. The
      orange is a bearing asking for help.

      ![vibration@acme.example]

      You will get a message from me when we see orange. Otherwise, enjoy the silence; it is included in the
      price.`,
    images: [vibrationChart],
  });

  return [...talk.drafts, ...harbourDay(clock, thanks)];
}

/** Grows out of the deal: a new subject from somebody new, and so a new topic. */
function harbourDay(clock: Clock, thanks: Draft): Draft[] {
  const talk = conversation('harbour');
  const fitting = clock.ahead(9, '08:00');

  const boots = talk.reply(thanks, {
    from: moira,
    to: [ada, grace],
    cc: [],
    subject: 'Harbour day: what to bring',
    sent: clock.at(2, '10:40'),
    quote: false,
    body: `Dear both,

      Priya passed me your dates; I changed the subject so that Tom's order stays findable. For ${dayName(fitting)} please bring:

      - boots with a grip, as Razorbill's lower deck has the personality of an ice rink
      - photo identification for the gate
      - an appetite: the canteen does a fish pie that people transfer departments for

      Hard hats we have. Tell me your sizes, and please be honest, last year's inspectors were not.`,
  });

  const sizes = talk.reply(boots, {
    from: grace,
    sent: clock.at(1, '15:32'),
    body: `Hat sizes: Ada 56, me 54. The sleeper train gets me in at half past five, and I am happy to start at six
      while the engines are still cold, if somebody can let me in.

      I am bringing the cake for Colin. Does he have a view on lemon?`,
  });

  talk.reply(sizes, {
    from: moira,
    sent: clock.today(190),
    body: `I have the keys and am up at five in any case. Colin's view on lemon is the only view of his I have
      never heard him change: strongly in favour.`,
  });

  return talk.drafts;
}
