//! Words from white noise: the deep state space model of Schmidt & Hofmann (2018).
