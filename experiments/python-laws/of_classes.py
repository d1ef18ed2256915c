from statistics import NormalDist


def quantile(p, mu, sigma):
    return NormalDist(mu, sigma).inv_cdf(p)
