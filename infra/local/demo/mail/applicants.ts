import { type Clock, dayName } from '../mail-kit/clock.ts';
import { ada, grace, noemie, tomas } from '../mail-kit/correspondents.ts';
import { conversation, type Draft } from '../mail-kit/draft.ts';
import { pdf } from '../mail-kit/files.ts';

/** A candidate who writes in French; Ada forwards her letter to Grace. */
export function acoustician(clock: Clock): Draft[] {
  const talk = conversation('candidature');
  const visit = clock.ahead(6, '13:00');

  const letter = talk.write({
    from: noemie,
    to: [ada],
    subject: 'Candidature : ingénieure acoustique',
    sent: clock.at(8, '16:25'),
    body: `Bonjour Madame Lovelace,

      Votre annonce cherche « quelqu'un qui sait écouter une machine ». J'écoute les machines depuis l'enfance :
      mon père réparait des pianos mécaniques, et à huit ans je reconnaissais un ressort fatigué à travers une
      porte fermée.

      Depuis six ans, je mesure le bruit des éoliennes au large de Nantes. C'est un beau métier, mais il y a
      beaucoup de vent. Vous trouverez mon CV ci-joint. Je serais ravie de vous en parler, de préférence à
      l'intérieur.

      Bien cordialement,`,
    files: [
      pdf('CV Noémie Lefèvre.pdf', 'Noémie Lefèvre', [
        'Ingénieure acoustique, Nantes',
        '',
        'Depuis six ans : mesures acoustiques en mer, Éoles du Large',
        "Avant : banc d'essai vibratoire, Ateliers Morvan",
        'Langues : français, anglais, un peu de grincement',
        'Divers : accordeuse amatrice de pianos mécaniques',
      ]),
    ],
  });

  const forwarded = talk.forward(letter, {
    from: ada,
    to: [grace],
    sent: clock.at(7, '09:30'),
    signature: false,
    files: letter.files ?? [],
    body: `Grace, read the second sentence of this and then try not to hire her.

      My French tells me she would rather work indoors. Shall we see her next week?`,
  });

  talk.reply(forwarded, {
    from: grace,
    sent: clock.at(7, '14:11'),
    quote: false,
    body: `I tried, and failed by the word "ressort". Yes please. I will be in the Quay Street office on
      ${dayName(visit)} and can show her the bucket.`,
  });

  const invitation = talk.reply(letter, {
    from: ada,
    to: [noemie],
    cc: [grace],
    sent: clock.at(6, '08:55'),
    body: `Chère Madame Lefèvre,

      Merci pour votre lettre, qui a fait le tour de l'atelier en dix minutes. Pourriez-vous venir nous voir le
      ${dayName(visit, 'fr')} ? Nous prenons en charge le train, le thé et les biscuits. Notre atelier est bien
      chauffé et le vent n'y est pas admis.

      Grace Hopper, qui dirige l'ingénierie, sera là et vous posera une seule question difficile. Personne ne sait
      laquelle.`,
  });

  talk.reply(invitation, {
    from: noemie,
    sent: clock.at(5, '17:40'),
    body: `Chère Madame, chère Madame Hopper,

      Avec grand plaisir. J'arriverai à treize heures, et j'apporterai l'enregistrement d'une éolienne qui chante
      presque juste.

      Bien à vous,`,
  });

  return talk.drafts;
}

/** A candidate who writes in Spanish, to Grace alone. */
export function firmwareDeveloper(clock: Clock): Draft[] {
  const talk = conversation('firmware');

  const letter = talk.write({
    from: tomas,
    to: [grace],
    subject: 'Desarrollador de firmware (y de paciencia)',
    sent: clock.at(7, '11:18'),
    body: `Estimada señora Hopper:

      Le escribo por el puesto de desarrollador de firmware. Llevo nueve años programando boyas para la Ría de
      Vigo: aparatos que nadie reinicia, porque para hacerlo hay que llegar nadando. Eso enseña a escribir código
      con mucho cuidado.

      He leído que el Limpet funciona cinco años con una pila. ¡Cinco! Mi mejor boya llegó a cuatro y medio, y
      luego se la llevó un pesquero. ¿Podríamos hablar algún día de esta semana? Prometo no preguntar cómo lo
      hicieron hasta el segundo minuto.

      Un cordial saludo,`,
  });

  const answer = talk.reply(letter, {
    from: grace,
    sent: clock.at(6, '13:47'),
    body: `Dear Mr Iglesias,

      Thank you. "Devices nobody restarts, because you would have to swim" is going on our wall.

      We do it by sleeping nearly always and by checking the clock with great suspicion. Come and hear the rest:
      would ${dayName(clock.ahead(3, '15:00'))} at four in the afternoon, your time, suit you for a call?`,
  });

  talk.reply(answer, {
    from: tomas,
    sent: clock.at(5, '18:05'),
    body: `Me viene perfecto, muchas gracias. Tendré preparada una pregunta sobre el reloj, otra sobre la pila y una
      foto de la boya, que en paz descanse.`,
    signature: false,
  });

  return talk.drafts;
}
