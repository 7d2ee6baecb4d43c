import type { ReactNode } from "react";

const paths = {
  agents: (
    <>
      <rect x="3" y="5.500" width="10" height="7.500" rx="2" />
      <path d="M8 2.500v3M6 9v.500M10 9v.500M1.500 8.500v2M14.500 8.500v2" />
    </>
  ),
  book: (
    <path d="M8 4.200C6.500 3 4.500 2.800 2.500 3v9.500c2-.200 4 0 5.500 1.200 1.500-1.200 3.500-1.400 5.500-1.200V3c-2-.200-4 0-5.500 1.200zM8 4.200v9.500" />
  ),
  board: <path d="M2.500 3h3v10h-3zM6.500 3h3v6.500h-3zM10.500 3h3v8h-3z" />,
  bell: (
    <path d="M8 2.500A3.500 3.500 0 0 0 4.500 6c0 3.500-1.500 4.700-1.500 4.700h10s-1.500-1.200-1.500-4.700A3.500 3.500 0 0 0 8 2.500zM6.800 13a1.400 1.400 0 0 0 2.400 0" />
  ),
  blocked: (
    <>
      <circle cx="8" cy="8" r="5.500" />
      <path d="m4.200 4.200 7.600 7.600" />
    </>
  ),
  chart: <path d="M2.500 2.500v11h11M5 10.500 7.500 7l2.500 2 3.500-4.500" />,
  check: <path d="m3 8.500 3.200 3.200L13 4.800" />,
  chevron: <path d="m4.500 6.500 3.500 3.500 3.500-3.500" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  copy: (
    <>
      <rect x="5.500" y="5.500" width="8" height="8" rx="1.500" />
      <path d="M10.500 3v-.500h-8v8H3" />
    </>
  ),
  filter: <path d="M2.500 4h11M4.500 8h7M6.500 12h3" />,
  fit: <path d="M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10" />,
  fold: <path d="M3 3.500v9M13 8H6M8.500 5.500 6 8l2.500 2.500" />,
  folder: <path d="M2.500 3.500h4l1.500 2h5.500v7h-11z" />,
  graph: (
    <>
      <rect x="1.500" y="6" width="4.500" height="4" rx="1" />
      <rect x="10" y="2" width="4.500" height="4" rx="1" />
      <rect x="10" y="10" width="4.500" height="4" rx="1" />
      <path d="M6 8h2M10 4H9a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h1" />
    </>
  ),
  inbox: (
    <>
      <path d="M2.500 9.500 4.300 3.500h7.400l1.800 6v3h-11z" />
      <path d="M2.500 9.500h3.300l.8 1.500h2.800l.8-1.500h3.300" />
    </>
  ),
  issue: <circle cx="8" cy="8" r="5.500" />,
  key: (
    <>
      <circle cx="5" cy="11" r="2.800" />
      <path d="m7 9 6-6M10.500 5.500l2 2M8.800 7.200l1.400 1.400" />
    </>
  ),
  mention: (
    <>
      <circle cx="8" cy="8" r="2.500" />
      <path d="M10.500 5.500V9a1.500 1.500 0 0 0 3 0V8A5.500 5.500 0 1 0 11 12.600" />
    </>
  ),
  keyboard: (
    <>
      <rect x="1.500" y="4" width="13" height="8.500" rx="1.500" />
      <path d="M4 6.700h.500M7.700 6.700h.500M11.500 6.700h.500M5 9.800h6" />
    </>
  ),
  list: <path d="M5.500 4h8M5.500 8h8M5.500 12h8M2.500 4h.200M2.500 8h.200M2.500 12h.200" />,
  menu: <path d="M2.500 4.500h11M2.500 8h11M2.500 11.500h11" />,
  minus: <path d="M3 8h10" />,
  more: <path d="M3.300 8h.200M7.900 8h.200M12.500 8h.200" />,
  pause: <path d="M5.500 3.500v9M10.500 3.500v9" />,
  pin: <path d="M4.500 2.500h7v11L8 10.500l-3.500 3z" />,
  play: <path d="M5 3.500v9l7-4.500z" />,
  plus: <path d="M8 3v10M3 8h10" />,
  question: (
    <>
      <circle cx="8" cy="8" r="5.500" />
      <path d="M6.300 6.500a1.700 1.700 0 1 1 2.600 1.500c-.600.400-.900.700-.900 1.300M8 11v.200" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4" />
      <path d="m10 10 3.500 3.500" />
    </>
  ),
  server: (
    <>
      <rect x="2.500" y="2.500" width="11" height="4.500" rx="1" />
      <rect x="2.500" y="9" width="11" height="4.500" rx="1" />
      <path d="M5 4.800h.200M5 11.200h.200" />
    </>
  ),
  signOut: <path d="M6.500 2.500h-4v11h4M6.500 8h7M10.500 5l3 3-3 3" />,
  theme: (
    <>
      <circle cx="8" cy="8" r="5.500" />
      <path d="M8 2.500v11a5.500 5.500 0 0 0 0-11z" fill="currentColor" />
    </>
  ),
  tool: (
    <path
      d="M9.700 5.300a3.300 3.300 0 0 1 4-3.200L11.600 4.200l.300 1.900 1.900.300 2.100-2.100a3.300 3.300 0 0 1-4.300 3.900l-5.200 5.200a1.600 1.600 0 0 1-2.300-2.300l5.300-5.200a3.300 3.300 0 0 1 .300-.600z"
      transform="translate(-1.500 .500)"
    />
  ),
  user: (
    <>
      <circle cx="8" cy="5.500" r="2.500" />
      <path d="M3 13.500c.500-2.500 2.400-4 5-4s4.500 1.500 5 4" />
    </>
  ),
  warning: <path d="M8 2.500 14 13H2zM8 6.500v3M8 11.200v.200" />,
  attach: (
    <path d="m12.500 7.500-4.800 4.800a2.800 2.800 0 0 1-4-4l5.300-5.300a1.900 1.900 0 0 1 2.700 2.700l-5.200 5.200a.900.900 0 0 1-1.300-1.300l4.600-4.600" />
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="5.500" />
      <path d="M8 5v3.300l2 1.400" />
    </>
  ),
  file: (
    <>
      <path d="M4 2.500h5l3 3v8H4z" />
      <path d="M9 2.500v3h3" />
    </>
  ),
  pencil: <path d="M3 13l.700-2.800 7-7 2.100 2.100-7 7zM9.300 4.600l2.100 2.100" />,
  trash: <path d="M3 4.500h10M6.500 4.500v-2h3v2M4.500 4.500l.500 9h6l.500-9M7 7v4M9 7v4" />,
  undo: <path d="M5.500 3.500 3 6l2.500 2.500M3 6h6.500a3.500 3.500 0 0 1 0 7H6" />,
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof paths;

/** A decorative icon, hidden from assistive technology. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    aria-hidden="true"
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.4"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    {paths[name]}
  </svg>
);
