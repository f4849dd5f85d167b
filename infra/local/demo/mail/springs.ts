import { type Clock, dayName } from '../mail-kit/clock.ts';
import { ada, grace, juergen } from '../mail-kit/correspondents.ts';
import { conversation, type Draft } from '../mail-kit/draft.ts';
import { pdf } from '../mail-kit/files.ts';

/** A quote from a supplier who writes German, in ISO-8859-1. */
export function springs(clock: Clock): Draft[] {
  const talk = conversation('springs');

  const request = talk.write({
    from: grace,
    to: [juergen],
    subject: 'Anfrage: 500 Druckfedern für den Limpet',
    sent: clock.at(9, '13:30'),
    body: `Sehr geehrter Herr Krämer,

      my German ends at the word "Feder", so please forgive me for going on in English, and do answer in
      German, which my colleague reads with pleasure.

      We need 500 compression springs for the clip of our sensor: stainless, 12 mm long, 4 mm across, and
      happy after two million cycles in salt air. The drawing is simple enough to fit in a sentence, so I have
      just put it in one.`,
  });

  const offer = talk.reply(request, {
    from: juergen,
    subject: 'AW: Anfrage: 500 Druckfedern für den Limpet',
    sent: clock.at(8, '08:12'),
    body: `Sehr geehrte Frau Hopper,

      vielen Dank für Ihre Anfrage und für die kürzeste Zeichnung, die unser Büro je erreicht hat. Meine
      Konstrukteure haben sie gerahmt.

      Gern bieten wir Ihnen 500 Druckfedern aus Werkstoff 1.4310 an, Stückpreis 0,38 EUR, Lieferzeit drei
      Wochen ab Auftrag. Für Seeluft empfehle ich 1.4568: etwas teurer (0,46 EUR), dafür müssen wir uns in zehn
      Jahren nicht über Rost unterhalten. Das Angebot liegt als PDF bei.

      Mit freundlichen Grüßen aus Lippstadt`,
    files: [
      pdf('Angebot 0417 Krämer Federn.pdf', 'Angebot 0417', [
        'Krämer Federn GmbH, Mühlgäßchen 4, 59555 Lippstadt',
        '',
        'An: Acme, Grace Hopper',
        '',
        '500 Druckfedern 12 x 4 mm, Werkstoff 1.4310, je 0,38 EUR   190,00 EUR',
        'wahlweise Werkstoff 1.4568, je 0,46 EUR                     230,00 EUR',
        'Lieferzeit: drei Wochen ab Auftrag',
        '',
        'Wir danken für Ihr Vertrauen. Unsere Federn danken für die Bewegung.',
      ]),
    ],
  });

  const choice = talk.reply(offer, {
    from: grace,
    to: [juergen],
    cc: [ada],
    sent: clock.at(5, '14:02'),
    body: `Dear Mr Krämer,

      The dearer ones, please. I would rather not talk about rust in ten years either, although I expect we
      would do it amicably. Ada is copied because she signs things and because she has been practising.`,
  });

  const signed = talk.reply(choice, {
    from: ada,
    to: [juergen],
    cc: [grace],
    sent: clock.at(5, '15:45'),
    body: `Sehr geehrter Herr Krämer,

      hiermit bestellen wir 500 Federn aus 1.4568 gemäß Ihrem Angebot 0417. Bitte entschuldigen Sie etwaige
      Fehler; das Wort "gemäß" habe ich allein gefunden und bin ein wenig stolz darauf.

      Herzliche Grüße`,
  });

  talk.reply(signed, {
    from: juergen,
    subject: 'AW: Anfrage: 500 Druckfedern für den Limpet',
    sent: clock.at(4, '07:20'),
    quote: false,
    body: `Sehr geehrte Frau Lovelace,

      Ihr "gemäß" sitzt einwandfrei. Die Bestellung ist gebucht und der Draht ist da. Versandtag:
      ${dayName(clock.ahead(11, '08:00'), 'de')}. Wir legen zwanzig Stück als Muster dazu, zum Drücken während
      langer Telefonate.

      Herzliche Grüße zurück`,
  });

  return talk.drafts;
}
