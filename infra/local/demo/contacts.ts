import type { DemoUserKey } from './people.ts';

export interface DemoContact {
  name: string;
  first_name: string;
  last_name: string;
  company: string;
  job_title: string;
  email_addresses: readonly string[];
  phone_number: string | null;
  note: string | null;
  /** What it was changed to later. */
  headline?: string;
  /** A second contact of the same person, which was merged into this one. */
  also?: string;
  created_by: DemoUserKey;
  /** Seen by who created it, and by whom it is shared with; otherwise all users see it. */
  private?: boolean;
}

/** The people behind some of the addresses in `demoMail`. */
export const demoContacts: readonly DemoContact[] = [
  {
    name: 'Priya Raghunathan',
    first_name: 'Priya',
    last_name: 'Raghunathan',
    company: 'Bellwether Ferries',
    job_title: 'Head of Fleet Operations',
    email_addresses: ['priya@bellwether.example', 'fleet.desk@bellwether.example'],
    phone_number: '+44 1632 960 118',
    note: 'Eleven ferries and a winch called Doreen. Always ask after the winch.',
    also: 'P. Raghunathan (ferries)',
    created_by: 'ada',
  },
  {
    name: 'Tom Abernathy',
    first_name: 'Tom',
    last_name: 'Abernathy',
    company: 'Bellwether Ferries',
    job_title: 'Procurement',
    email_addresses: ['tom.abernathy@bellwether.example'],
    phone_number: '+44 1632 960 140',
    note: 'Wants BF-20417 on everything.',
    headline: 'Head of Procurement, Bellwether Ferries',
    created_by: 'ada',
  },
  {
    name: 'Jürgen Krämer',
    first_name: 'Jürgen',
    last_name: 'Krämer',
    company: 'Krämer Federn GmbH',
    job_title: 'Geschäftsführer',
    email_addresses: ['j.kraemer@kraemer-federn.example'],
    phone_number: null,
    note: 'Springs. Writes German, enjoys being answered in it.',
    created_by: 'grace',
  },
  {
    name: 'Noémie Lefèvre',
    first_name: 'Noémie',
    last_name: 'Lefèvre',
    company: '',
    job_title: 'Ingénieure acoustique',
    email_addresses: ['noemie.lefevre@courriel.example'],
    phone_number: null,
    note: 'Candidate. Can hear a tired spring through a door.',
    created_by: 'ada',
    private: true,
  },
  {
    name: 'Tomás Iglesias',
    first_name: 'Tomás',
    last_name: 'Iglesias',
    company: '',
    job_title: 'Desarrollador de firmware',
    email_addresses: ['tomas.iglesias@correo.example'],
    phone_number: null,
    note: 'Candidate. Buoys that nobody restarts.',
    created_by: 'grace',
    private: true,
  },
  {
    name: 'Inês Duarte',
    first_name: 'Inês',
    last_name: 'Duarte',
    company: 'Small Machines',
    job_title: 'Programme chair',
    email_addresses: ['ines@smallmachines.example', 'programme@smallmachines.example'],
    phone_number: null,
    note: null,
    created_by: 'ada',
  },
  {
    name: 'Wren Ashdown',
    first_name: 'Wren',
    last_name: 'Ashdown',
    company: 'Ashdown Studio',
    job_title: 'Industrial designer',
    email_addresses: ['wren@ashdown.example'],
    phone_number: '+44 1632 960 077',
    note: 'The colour is green.',
    created_by: 'grace',
  },
  {
    name: '佐藤 由美',
    first_name: '由美',
    last_name: '佐藤',
    company: '星野精機株式会社',
    job_title: '技術部',
    email_addresses: ['yumi.sato@hoshino-seiki.example'],
    phone_number: null,
    note: 'Their president exercises at three.',
    created_by: 'linus',
  },
  {
    name: 'ليلى منصور',
    first_name: 'ليلى',
    last_name: 'منصور',
    company: 'نور للترجمة التقنية',
    job_title: 'مترجمة',
    email_addresses: ['layla@noor-translations.example'],
    phone_number: null,
    note: null,
    created_by: 'ada',
  },
  {
    name: 'Otis Marlowe',
    first_name: 'Otis',
    last_name: 'Marlowe',
    company: '',
    job_title: 'Adviser, retired from fog',
    email_addresses: ['otis@marlowe.example'],
    phone_number: null,
    note: 'Soup.',
    created_by: 'ada',
    private: true,
  },
];

/** People whom two colleagues wrote down, each in their own way. */
export const demoTwins: readonly DemoContact[] = [
  {
    name: 'Abernathy, Tom',
    first_name: 'Tom',
    last_name: 'Abernathy',
    company: 'Bellwether Ferries',
    job_title: '',
    email_addresses: ['tom@abernathy.example'],
    phone_number: '01632 960140',
    note: 'Met at the harbour. Owes us a pencil.',
    created_by: 'linus',
  },
];
