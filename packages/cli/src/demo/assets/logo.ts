/** A bear's face, as SVG. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <g fill="#8a5a2b"><circle cx="15" cy="17" r="10"/><circle cx="49" cy="17" r="10"/><circle cx="32" cy="35" r="25"/></g>
  <g fill="#d9a066"><circle cx="15" cy="17" r="5"/><circle cx="49" cy="17" r="5"/><ellipse cx="32" cy="44" rx="13" ry="10"/></g>
  <g fill="#2b2118"><circle cx="23" cy="31" r="3"/><circle cx="41" cy="31" r="3"/><ellipse cx="32" cy="40" rx="5" ry="3.5"/></g>
  <path d="M26 47q6 5 12 0" fill="none" stroke="#2b2118" stroke-width="2" stroke-linecap="round"/>
</svg>
`;
